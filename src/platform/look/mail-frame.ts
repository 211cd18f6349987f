import { directionOf } from '../text/direction.ts'
import { DARK, LIGHT } from './tokens.ts'

export const MAIL_FONT = 'system-ui,-apple-system,Segoe UI,Arial,sans-serif'
const DARK_RULES =
  `.ground{background:${DARK.ground}!important}.paper{background:${DARK.paper}!important;border-color:${DARK.line}!important}` +
  `.ink{color:${DARK.ink}!important}.soft,.soft a{color:${DARK.soft}!important}`
const ACCENT = { ground: LIGHT.accent, ink: LIGHT.on, darkGround: DARK.accent, darkInk: DARK.on }

export interface MailFrame {
  language: string
  title: string
  /** Above the card. HTML, like the parts below. */
  header: string
  body: string
  footer?: string
  /** Further rules for dark mode. */
  dark?: string
}

/**
 * A mail as HTML in our look. Tables and inline styles, for mail programs that know nothing else; the style sheet only
 * adds the dark colours.
 */
export function mailFrame({ language, title, header, body, footer, dark = '' }: MailFrame): string {
  return `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){${DARK_RULES}${dark}}
</style>
</head>
<body class="ground" style="margin:0;padding:0;background:${LIGHT.ground}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="ground" style="background:${LIGHT.ground}"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px">
<tr><td class="ink" style="padding:0 8px 16px;font:600 16px/24px ${MAIL_FONT};color:${LIGHT.ink}">${header}</td></tr>
<tr><td class="paper" style="padding:32px 24px;background:#ffffff;border:1px solid ${LIGHT.line};border-radius:16px">
${body}
</td></tr>
${footer === undefined ? '' : `<tr><td class="soft" style="padding:16px 8px;font:13px/20px ${MAIL_FONT};color:${LIGHT.soft}">${footer}</td></tr>\n`}</table>
</td></tr></table>
</body>
</html>
`
}

/** A paragraph of a mail. */
export function mailParagraph(
  html: string,
  { kind = 'ink', above = 0, below = 16 }: { kind?: 'ink' | 'soft'; above?: number; below?: number } = {},
) {
  const [font, color] = kind === 'ink' ? ['16px/24px', LIGHT.ink] : ['14px/20px', LIGHT.soft]
  return `<p class="${kind}" style="margin:${above}px 0 ${below}px;font:${font} ${MAIL_FONT};color:${color};overflow-wrap:anywhere;word-break:break-word">${html}</p>`
}

export function mailHeading(html: string): string {
  return `<h1 class="ink" style="margin:0 0 16px;font:600 22px/30px ${MAIL_FONT};color:${LIGHT.ink}">${html}</h1>`
}

/** A link as a button. Its colours are the platform's, unless others are given. */
export function mailButton(
  href: string,
  label: string,
  { ground, ink } = ACCENT as { ground: string; ink: string },
): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td class="accent" style="border-radius:8px;background:${ground}"><a href="${href}" class="accent" style="display:inline-block;padding:12px 28px;border-radius:8px;color:${ink};font:600 16px/24px ${MAIL_FONT};text-decoration:none">${label}</a></td></tr></table>`
}

/**
 * A plain text in the frame: paragraphs, and an address on a line of its own as a button. Only addresses of `baseUrl`
 * are links, because strangers' words may stand in the text.
 * @param label of such a button.
 */
export function framedText(text: string, { title, baseUrl, language = 'en', label = 'Open' }: FramedText): string {
  const parts = text
    .trim()
    .split(/\n{2,}/)
    .map((part) =>
      isOurs(part, baseUrl) && !/\s/.test(part)
        ? `${mailButton(escaped(part), escaped(label))}${mailParagraph(escaped(part), { kind: 'soft', above: 8 })}`
        : mailParagraph(linked(part, baseUrl).replaceAll('\n', '<br>')),
    )
  return mailFrame({
    language,
    title: escaped(title),
    header: 'Earshot',
    body: [mailHeading(escaped(title)), ...parts].join('\n'),
    dark: `.accent{background:${ACCENT.darkGround}!important;color:${ACCENT.darkInk}!important}.ink a{color:${ACCENT.darkGround}!important}`,
  })
}

export interface FramedText {
  title: string
  /** Our own address, without a slash at its end. */
  baseUrl: string
  language?: string | undefined
  label?: string | undefined
}

function linked(text: string, baseUrl: string): string {
  return escaped(text).replace(/https?:\/\/[^\s<>]+/g, (found) => {
    const address = found.replace(/[.,;:)]$/, '')
    if (!isOurs(address, escaped(baseUrl))) return found
    return `<a href="${address}" style="color:${ACCENT.ground}">${address}</a>${found.slice(address.length)}`
  })
}

function isOurs(address: string, baseUrl: string): boolean {
  return address.startsWith(`${baseUrl}/`)
}

/** A text as HTML, in a tag or an attribute. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
