import { html, raw } from 'hono/html'
import { messagesIn } from './page-messages.ts'
import { altText, daysText, figureText, type ShownWidget } from './shown.ts'

interface Drawn {
  widget: ShownWidget
  /** A chart for a desktop and one for a phone. Null for a number or a table. */
  svg: { wide: string; narrow: string } | null
}

/** Widgets one below the other. A chart also says its figures to programs that read aloud. */
export function renderDashboard(
  widgets: Drawn[],
  { period, language }: { period: { from: string; to: string; timezone: string }; language: string },
) {
  return html`<p class="soft">${daysText(period, language)}</p>
    ${widgets.map((each) => renderWidget(each, language))}`
}

export function renderPassword(problem: string | null, language: string) {
  const messages = messagesIn(language)
  return html`${problem === null ? '' : html`<p class="wrong" role="alert">${problem}</p>`}
    <form method="post"><label for="password">${messages.password}</label>
    <input id="password" name="password" type="password" required maxlength="200" autocomplete="current-password">
    <button type="submit">${messages.open}</button></form>`
}

function renderWidget({ widget, svg }: Drawn, language: string) {
  const { title, unit, points, value, enough } = widget
  const heading = html`<h2>${title}</h2>`
  if (svg !== null)
    return html`<section>${heading}<div class="chart" role="img" aria-label="${altText(widget, language)}"><div class="wide">${raw(svg.wide)}</div><div class="narrow">${raw(svg.narrow)}</div></div></section>`
  if (points.length > 0)
    return html`<section>${heading}<table><tbody>${points.map(
      (point) =>
        html`<tr><th scope="row">${point.label}</th><td>${figureText(point.value, unit, language)}</td><td class="soft">${figureText(point.n, 'count', language)}</td></tr>`,
    )}</tbody></table></section>`
  const shown = enough ? figureText(value, unit, language) : messagesIn(language).few
  return html`<section>${heading}<p class="figure">${shown}</p></section>`
}
