import { html, raw } from 'hono/html'
import { accentOn } from '../../../../platform/look/accent.ts'
import { onOwnPage } from '../../../../platform/look/asset-address.ts'
import { runInSlices } from '../../../../platform/loop/turns.ts'
import { DARK, LIGHT } from '../../../../platform/look/tokens.ts'
import { messagesIn } from '../page-messages.ts'
import { scaleOf } from '../drawing/gauge.ts'
import { type Box, GAP, ROW } from '../grid.ts'
import { altText, daysText, doubtOf, figureText, pointNames, shortenedOf, type WidgetView } from '../widget-view.ts'

interface Drawn {
  widget: WidgetView
  /** Its place on twelve columns. On a phone, only the order counts. */
  box: Box
  /** A chart for a desktop and one for a phone. Null for a number or a table. */
  svg: { wide: string; narrow: string } | null
}

/** The workspace, as readers of its dashboards see it. */
interface Owner {
  name: string
  branding: { color: string | null; logo_url: string | null }
}

interface Reader {
  period: { from: string; to: string; timezone: string }
  language: string
  today: string
}

/** Cards in a grid. A chart also says its figures to programs that read aloud. */
export async function renderDashboard(widgets: Drawn[], reader: Reader) {
  const cards = await runInSlices(renderCards(widgets, reader))
  return html`<p class="soft">${daysText(reader.period, reader.language)}</p>
    <div class="grid">${cards}</div>`
}

/** In steps of a row, because a dashboard has thousands. */
function* renderCards(widgets: Drawn[], reader: Reader) {
  const cards = []
  for (const drawn of widgets) {
    cards.push(yield* renderCard(drawn, reader))
    yield
  }
  return cards
}

export function renderOwner({ name, branding }: Owner) {
  const logo = branding.logo_url && onOwnPage(branding.logo_url)
  return html`<p class="from">${logo ? html`<img src="${logo}" alt="${name}">` : name}</p>`
}

export function renderPassword(problem: string | null, language: string) {
  const messages = messagesIn(language)
  return html`${problem === null ? '' : html`<p class="wrong" role="alert">${problem}</p>`}
    <form method="post"><label for="password">${messages.password}</label>
    <input id="password" name="password" type="password" required maxlength="200" autocomplete="current-password">
    <button type="submit">${messages.open}</button></form>`
}

function* renderCard({ widget, box: { x, y, w, h }, svg }: Drawn, { language, today }: Reader) {
  const place = `--x:${x + 1};--y:${y + 1};--w:${w};--h:${h}`
  const content =
    svg !== null
      ? html`<div class="chart" role="img" aria-label="${altText(widget, language)}"><div class="wide">${raw(svg.wide)}</div><div class="narrow">${raw(svg.narrow)}</div></div>`
      : widget.points.length > 0
        ? html`<table><tbody>${yield* renderRows(widget, language, today)}</tbody></table>`
        : renderFigure(widget, language)
  const notes = shortenedOf(widget, language).map((line) => html`<p class="note">${line}</p>`)
  return html`<section class="card" style="${place}"><h2>${widget.title}</h2>${content}${notes}</section>`
}

function* renderRows({ points, unit }: WidgetView, language: string, today: string) {
  const names = pointNames(points, today, language)
  const rows = []
  for (const [at, { value, n }] of points.entries()) {
    rows.push(
      html`<tr><th scope="row">${names[at]}</th><td>${figureText(value, unit, language)}</td><td class="soft">n = ${figureText(n, 'count', language)}</td></tr>`,
    )
    yield
  }
  return rows
}

/** The figure with its doubt: a score or a share stands on its scale, with the interval around it. */
function renderFigure(widget: WidgetView, language: string) {
  const { enough, unit, value, interval } = widget
  if (!enough) return html`<p class="few">${messagesIn(language).few}</p>`
  const notes = doubtOf(widget, language).map((line) => html`<p class="note">${line}</p>`)
  return html`<p class="figure">${figureText(value, unit, language)}</p>${onScale(unit, value, interval)}${notes}`
}

function onScale(unit: WidgetView['unit'], value: WidgetView['value'], interval: WidgetView['interval']) {
  const scale = scaleOf(unit)
  if (!scale || typeof value !== 'number') return ''
  const [low, high] = scale
  const at = (figure: number) => Math.round((1_000 * (figure - low)) / (high - low)) / 10
  const band = interval
    ? html`<rect class="band" x="${at(interval.low)}" width="${Math.round(10 * (at(interval.high) - at(interval.low))) / 10}" height="8" rx="1"/>`
    : ''
  return html`<svg class="onscale" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="rail" y="3.25" width="100" height="1.5"/>${unit === 'score' ? html`<rect class="rail" x="49.8" y="1" width=".4" height="6"/>` : ''}${band}<rect class="at" x="${Math.min(98.8, Math.max(0, at(value) - 0.6))}" width="1.2" height="8"/></svg>`
}

// Charts are drawn once for all, in the colours of a light screen. Here they take those of the screen and of the brand.
const COLORS = (['soft', 'ink', 'line', 'edge', 'paper', 'accent'] as const)
  .map((name) => {
    const color = LIGHT[name]
    return `.chart [fill="${color}"]{fill:var(--${name})}.chart [stroke="${color}"]{stroke:var(--${name})}`
  })
  .join('\n')

const STYLE = `main{box-sizing:border-box;max-width:76rem;margin:0 auto;padding:clamp(1.25rem,3vw,2.5rem) 1.5rem 3rem;background:none;border:0}
h1{margin:0 0 .25rem}
.from{margin:0 0 1.25rem;font-weight:600;color:var(--soft)}
.from img{display:block;height:2.25rem;max-width:15rem;object-fit:contain;object-position:left}
[dir=rtl] .from img{object-position:right}
.grid{display:grid;grid-template-columns:repeat(12,minmax(0,1fr));gap:${GAP}px;margin-top:1.75rem}
.card{grid-column:1/-1;box-sizing:border-box;min-width:0;padding:1rem 1.5rem 1.125rem;background:var(--paper);border:1px solid var(--line);border-radius:.625rem}
h2{margin:0 0 .75rem;font-size:.9375rem;font-weight:600;line-height:1.4;color:var(--soft)}
.figure{margin:0;font-size:2.75rem;font-weight:600;line-height:1.15;letter-spacing:-.025em;font-variant-numeric:tabular-nums}
.few{margin:0;color:var(--soft)}
.note{margin:.125rem 0 0;font-size:.875rem;line-height:1.45;color:var(--soft);font-variant-numeric:tabular-nums}
.onscale{display:block;width:100%;height:1rem;margin-top:.75rem}
[dir=rtl] .onscale{transform:scaleX(-1)}
.rail{fill:var(--edge)}
.band{fill:var(--accent);opacity:.3}
.at{fill:var(--accent)}
.chart svg{display:block;width:100%;height:auto}
.chart .wide{display:none}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:.5rem 1rem .5rem 0;text-align:start;font-weight:400;border-bottom:1px solid var(--line)}
td{text-align:end;padding-inline-end:0;width:1%;white-space:nowrap;padding-inline-start:1rem}
tr:last-child>*{border-bottom:0}
@media(min-width:48rem){.grid{grid-auto-rows:minmax(${ROW}px,auto)}.card{grid-column:var(--x)/span var(--w);grid-row:var(--y)/span var(--h)}.chart .wide{display:block}.chart .narrow{display:none}}
@media(forced-colors:active){.onscale{forced-color-adjust:none}.rail{fill:CanvasText}.band,.at{fill:Highlight}}
${COLORS}`

/** The style of a dashboard, in the colour of its workspace. */
export function dashboardStyle({ branding: { color } }: Owner): string {
  if (color === null) return STYLE
  const [light, dark] = [accentOn(color, LIGHT.ground), accentOn(color, DARK.paper)]
  return `${STYLE}
:root{--accent:${light.color};--on:${light.text}}
@media(prefers-color-scheme:dark){:root{--accent:${dark.color};--on:${dark.text}}}`
}
