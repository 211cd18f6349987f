import type { EmailVariables } from './email-variables.ts'
import { escapeHtml } from './html-safety.ts'
import { LIGHT } from '../../../platform/look/tokens.ts'

const LINK = `display:inline-block;min-width:36px;margin:0 1px 4px 0;border:1px solid ${LIGHT.soft};border-radius:8px;background:#ffffff;color:${LIGHT.ink};font:600 16px/40px system-ui,-apple-system,Segoe UI,Arial,sans-serif;text-align:center;text-decoration:none`
const ENDS = `margin:0 0 16px;font:14px/20px system-ui,-apple-system,Segoe UI,Arial,sans-serif;color:${LIGHT.soft}`

/**
 * The numbers of the scale as links that wrap on small screens, and the meaning of its ends. `{% score_links %}` puts
 * them into HTML.
 */
export function scoreButtons({ score_urls, survey: { scale } }: EmailVariables): string {
  if (score_urls.length === 0) return ''
  const of = scale ? ` / ${scale.max}` : ''
  const links = score_urls.map(
    ({ value, url }) =>
      `<a href="${escapeHtml(url)}" class="score" aria-label="${value}${of}" style="${LINK}">${value}</a>`,
  )
  const ends = endsOf(scale).map(escapeHtml)
  return `<p style="margin:0 0 8px;font-size:16px;line-height:48px">${links.join(' ')}</p>${ends.length > 0 ? `<p class="soft" style="${ENDS}">${ends.join('<br>')}</p>` : ''}`
}

/** The same for the text part: a line for each number. */
export function scoreLines({ score_urls, survey: { scale } }: EmailVariables): string {
  return [...endsOf(scale), ...score_urls.map(({ value, url }) => `${value}: ${url}`)].join('\n')
}

function endsOf(scale: EmailVariables['survey']['scale']): string[] {
  if (!scale) return []
  const ends: Array<[number, string]> = [
    [scale.min, scale.low_label],
    [scale.max, scale.high_label],
  ]
  return ends.filter(([, label]) => label.trim() !== '').map(([value, label]) => `${value} = ${label}`)
}
