import { escaped, MAIL_FONT, mailFrame, mailParagraph } from '../../../platform/look/mail-frame.ts'
import { runInSlices } from '../../../platform/loop/turns.ts'
import {
  altText,
  daysText,
  doubtOf,
  figureText,
  pointNames,
  shortenedOf,
  type WidgetView,
} from '../dashboards/widget-view.ts'
import { LIGHT } from '../../../platform/look/tokens.ts'

/** A chart as PNG in base64. */
interface Picture {
  id: string
  alt: string
  base64: string
}

export interface Letter {
  title: string
  period: string
  /** A figure with its doubt and perhaps a picture of its scale, or a picture, or rows. */
  parts: Array<{ title: string; picture: Picture | null; figure: string | null; notes: string[]; rows: string[][] }>
  pictures: Picture[]
  text: string
  /** With pictures as parts of the mail. */
  html: string
}

export const LANGUAGE = 'en'
const CELL = `padding:6px 6px 6px 0;font:14px/20px ${MAIL_FONT};color:${LIGHT.ink}`
const OPEN = 'Open the report in Earshot'
const FEW = 'Not enough answers yet'

/**
 * A report as a mail: HTML with pictures, and the same in plain text. Made in slices, because it may have thousands of
 * rows.
 */
export async function letterOf(
  title: string,
  { period, today }: { period: { from: string; to: string; timezone: string }; today: string },
  drawn: Drawn[],
  link: string,
): Promise<Letter> {
  const span = `${daysText(period, LANGUAGE)} (${period.timezone})`
  const parts = await runInSlices(partsOf(drawn, today))
  const letter = { title, period: span, parts }
  return {
    ...letter,
    pictures: parts.flatMap(({ picture }) => picture ?? []),
    text: `${await runInSlices(textOf(letter))}\n${OPEN}:\n${link}\n`,
    html: await runInSlices(htmlOf(letter, ({ id }) => `cid:${id}`, link)),
  }
}

/** A page that holds its pictures. */
export function pageOf(letter: Letter): Promise<string> {
  return runInSlices(htmlOf(letter, ({ base64 }) => `data:image/png;base64,${base64}`))
}

type Drawn = { widget: WidgetView; png: string | null }

function* partsOf(drawn: Drawn[], today: string) {
  const parts: Letter['parts'] = []
  for (const [index, { widget, png }] of drawn.entries()) {
    const names = pointNames(widget.points, today, LANGUAGE)
    const isFigure = widget.points.length === 0
    const rows = []
    for (const [at, { value, n }] of widget.points.entries()) {
      rows.push([names[at] ?? '', figureText(value, widget.unit, LANGUAGE), figureText(n, 'count', LANGUAGE)])
      yield
    }
    parts.push({
      title: widget.title,
      picture: png === null ? null : { id: `chart${index + 1}`, alt: altText(widget, LANGUAGE), base64: png },
      figure: isFigure ? figureOf(widget) : null,
      notes: isFigure && widget.enough ? doubtOf(widget, LANGUAGE) : shortenedOf(widget, LANGUAGE),
      rows,
    })
  }
  return parts
}

function figureOf({ enough, value, unit }: WidgetView): string {
  return enough ? figureText(value, unit, LANGUAGE) : FEW
}

type Content = Pick<Letter, 'title' | 'period' | 'parts'>

function* textOf({ title, period, parts }: Content) {
  const lines = [title, period]
  for (const part of parts) {
    lines.push('', part.title)
    if (part.figure !== null) lines.push(`  ${part.figure}`)
    for (const [label, value, n] of part.rows) {
      lines.push(`  ${label}: ${value} (${n})`)
      yield
    }
    lines.push(...part.notes.map((line) => `  ${line}`))
  }
  return `${lines.join('\n')}\n`
}

function* htmlOf({ title, period, parts }: Content, sourceOf: (picture: Picture) => string, link?: string) {
  const shown = []
  for (const { title: heading, picture, figure, notes, rows } of parts) {
    const drawn =
      picture === null
        ? ''
        : `<img src="${sourceOf(picture)}" alt="${escaped(picture.alt)}" width="550" style="display:block;width:100%;max-width:550px;height:auto;background:#ffffff;border:0">`
    const body =
      figure === null
        ? drawn || `<table cellpadding="0" cellspacing="0" border="0" width="100%">${yield* cellsOf(rows)}</table>`
        : `<p class="ink" style="margin:0;font:600 28px/36px ${MAIL_FONT};color:${LIGHT.ink}">${escaped(figure)}</p>${drawn}`
    const below = notes.map((line) => mailParagraph(escaped(line), { kind: 'soft', below: 0 })).join('')
    const title = `<h2 class="ink" style="margin:24px 0 8px;font:600 18px/24px ${MAIL_FONT};color:${LIGHT.ink}">${escaped(heading)}</h2>`
    shown.push(`${title}${body}${below}`)
    yield
  }
  return mailFrame({
    language: LANGUAGE,
    title: escaped(title),
    header: escaped(title),
    body: `${mailParagraph(escaped(period), { kind: 'soft', below: 0 })}${shown.join('')}`,
    ...(link !== undefined && { footer: `<a href="${escaped(link)}">${OPEN}</a>` }),
  })
}

function* cellsOf(rows: string[][]) {
  const shown = []
  for (const row of rows) {
    shown.push(`<tr>${row.map((cell) => `<td class="ink" style="${CELL}">${escaped(cell)}</td>`).join('')}</tr>`)
    yield
  }
  return shown.join('')
}
