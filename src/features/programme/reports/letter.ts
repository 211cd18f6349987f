import { altText, figureText, type ShownWidget } from '../dashboards/shown.ts'

/** A chart as PNG in base64. */
interface Picture {
  id: string
  alt: string
  base64: string
}

export interface Letter {
  title: string
  period: string
  /** A picture, or the figures themselves. */
  parts: Array<{ title: string; picture: Picture | null; figure: string | null; rows: string[][] }>
  pictures: Picture[]
  text: string
  /** With pictures as parts of the mail. */
  html: string
}

const LANGUAGE = 'en'
const FEW = 'Not enough answers yet'

/** A report as a mail: HTML with pictures, and the same in plain text. */
export function letterOf(
  title: string,
  { period }: { period: { from: string; to: string; timezone: string } },
  drawn: Array<{ widget: ShownWidget; png: string | null }>,
): Letter {
  const span = `${period.from.slice(0, 10)} – ${period.to.slice(0, 10)} (${period.timezone})`
  const parts = drawn.map(({ widget, png }, index) => ({
    title: widget.title,
    picture: png === null ? null : { id: `chart${index + 1}`, alt: altText(widget, LANGUAGE), base64: png },
    figure: widget.points.length > 0 ? null : figureOf(widget),
    rows: widget.points.map(({ label, value, n }) => [
      label,
      figureText(value, widget.unit, LANGUAGE),
      figureText(n, 'count', LANGUAGE),
    ]),
  }))
  const letter = { title, period: span, parts, pictures: parts.flatMap(({ picture }) => picture ?? []) }
  return { ...letter, text: textOf(letter), html: htmlOf(letter, ({ id }) => `cid:${id}`) }
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
      : [`  ${part.figure}`]),
  ])
  return `${[title, period, ...lines].join('\n')}\n`
}

function htmlOf({ title, period, parts }: Content, sourceOf: (picture: Picture) => string): string {
  const shown = parts.map(({ title: heading, picture, figure, rows }) => {
    const cells = rows.map((row) => `<tr>${row.map((cell) => `<td>${escape(cell)}</td>`).join('')}</tr>`).join('')
    const body = picture
      ? `<img src="${sourceOf(picture)}" alt="${escape(picture.alt)}" width="640" style="max-width:100%;height:auto">`
      : figure !== null
        ? `<p style="font-size:28px;margin:0">${escape(figure)}</p>`
        : `<table cellpadding="6">${cells}</table>`
    return `<h2 style="font-size:18px;margin:24px 0 8px">${escape(heading)}</h2>${body}`
  })
  return (
    `<!doctype html><html lang="${LANGUAGE}"><head><meta charset="utf-8"><title>${escape(title)}</title></head>` +
    '<body style="font-family:system-ui,sans-serif;max-width:680px;margin:0 auto;padding:16px;color:#1c1b22">' +
    `<h1 style="font-size:24px">${escape(title)}</h1><p>${escape(period)}</p>${shown.join('')}</body></html>`
  )
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
