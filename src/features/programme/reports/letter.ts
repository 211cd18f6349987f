import { mailFrame, mailParagraph } from '../../../platform/look/mail-frame.ts'
import { altText, daysText, doubtOf, figureText, pointNames, type ShownWidget } from '../dashboards/shown.ts'
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
  parts: Array<{ title: string; picture: Picture | null; figure: string | null; doubt: string[]; rows: string[][] }>
  pictures: Picture[]
  text: string
  /** With pictures as parts of the mail. */
  html: string
}

export const LANGUAGE = 'en'
const FONT = 'system-ui,-apple-system,Segoe UI,Arial,sans-serif'
const CELL = `padding:6px 6px 6px 0;font:14px/20px ${FONT};color:${LIGHT.ink}`
const OPEN = 'Open the report in Earshot'
const FEW = 'Not enough answers yet'

/** A report as a mail: HTML with pictures, and the same in plain text. */
export function letterOf(
  title: string,
  { period, today }: { period: { from: string; to: string; timezone: string }; today: string },
  drawn: Array<{ widget: ShownWidget; png: string | null }>,
  link: string,
): Letter {
  const span = `${daysText(period, LANGUAGE)} (${period.timezone})`
  const parts = drawn.map(({ widget, png }, index) => {
    const names = pointNames(widget.points, today, LANGUAGE)
    const isFigure = widget.points.length === 0
    return {
      title: widget.title,
      picture: png === null ? null : { id: `chart${index + 1}`, alt: altText(widget, LANGUAGE), base64: png },
      figure: isFigure ? figureOf(widget) : null,
      doubt: isFigure && widget.enough ? doubtOf(widget, LANGUAGE) : [],
      rows: widget.points.map(({ value, n }, at) => [
        names[at] ?? '',
        figureText(value, widget.unit, LANGUAGE),
        figureText(n, 'count', LANGUAGE),
      ]),
    }
  })
  const letter = { title, period: span, parts, pictures: parts.flatMap(({ picture }) => picture ?? []) }
  return {
    ...letter,
    text: `${textOf(letter)}\n${OPEN}:\n${link}\n`,
    html: htmlOf(letter, ({ id }) => `cid:${id}`, link),
  }
}

/** A page that holds its pictures. */
export function pageOf(letter: Letter): string {
  return htmlOf(letter, ({ base64 }) => `data:image/png;base64,${base64}`)
}

function figureOf({ enough, value, unit }: ShownWidget): string {
  return enough ? figureText(value, unit, LANGUAGE) : FEW
}

type Content = Pick<Letter, 'title' | 'period' | 'parts'>

function textOf({ title, period, parts }: Content): string {
  const lines = parts.flatMap((part) => [
    '',
    part.title,
    ...(part.figure === null
      ? part.rows.map(([label, value, n]) => `  ${label}: ${value} (${n})`)
      : [part.figure, ...part.doubt].map((line) => `  ${line}`)),
  ])
  return `${[title, period, ...lines].join('\n')}\n`
}

function htmlOf({ title, period, parts }: Content, sourceOf: (picture: Picture) => string, link?: string): string {
  const shown = parts.map(({ title: heading, picture, figure, doubt, rows }) => {
    const cells = rows
      .map((row) => `<tr>${row.map((cell) => `<td class="ink" style="${CELL}">${escape(cell)}</td>`).join('')}</tr>`)
      .join('')
    const drawn =
      picture === null
        ? ''
        : `<img src="${sourceOf(picture)}" alt="${escape(picture.alt)}" width="550" style="display:block;width:100%;max-width:550px;height:auto;background:#ffffff;border:0">`
    const body =
      figure !== null
        ? `<p class="ink" style="margin:0;font:600 28px/36px ${FONT};color:${LIGHT.ink}">${escape(figure)}</p>${drawn}${doubt.map((line) => mailParagraph(escape(line), { kind: 'soft', below: 0 })).join('')}`
        : drawn || `<table cellpadding="0" cellspacing="0" border="0" width="100%">${cells}</table>`
    const title = `<h2 class="ink" style="margin:24px 0 8px;font:600 18px/24px ${FONT};color:${LIGHT.ink}">${escape(heading)}</h2>`
    return `${title}${body}`
  })
  return mailFrame({
    language: LANGUAGE,
    title: escape(title),
    header: escape(title),
    body: `${mailParagraph(escape(period), { kind: 'soft', below: 0 })}${shown.join('')}`,
    ...(link !== undefined && { footer: `<a href="${escape(link)}">${OPEN}</a>` }),
  })
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
