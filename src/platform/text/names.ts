const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/v
// A name must stay on its line, look as it was written, and hide nothing. U+2800 counts as a symbol but is invisible.
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/v
// Emoji and Japanese and Persian words need variation selectors after a character, and joiners between two.
const JOINER = '\\u200c\\u200d'
const SELECTOR = '\\ufe0e\\ufe0f'
const IDEOGRAPHIC_SELECTOR = '\\u{e0100}-\\u{e01ef}'
const SHOWN = `[\\p{L}\\p{N}\\p{P}\\p{S}[\\p{M}--[${SELECTOR}]]]`
const HIDDEN = new RegExp(
  `[[\\p{Default_Ignorable_Code_Point}\\u2800]--[${JOINER}${SELECTOR}${IDEOGRAPHIC_SELECTOR}]]`,
  'v',
)
const STRAY_SELECTOR = new RegExp(`(?<!${SHOWN})[${SELECTOR}]`, 'v')
const STRAY_IDEOGRAPHIC = new RegExp(`(?<!\\p{Script=Han})[${IDEOGRAPHIC_SELECTOR}]`, 'v')
const STRAY_JOINER = new RegExp(`(?<!${SHOWN}[${SELECTOR}]?)[${JOINER}]|[${JOINER}](?!${SHOWN})`, 'v')
const UNSAFE = new RegExp(
  [CONTROL, HIDDEN, STRAY_SELECTOR, STRAY_IDEOGRAPHIC, STRAY_JOINER].map(({ source }) => source).join('|'),
  'gv',
)

/** The reason why a text cannot be a name of a person or a workspace. Null if it can. */
export function nameIssue(text: string): string | null {
  if (text.search(UNSAFE) >= 0)
    return 'A name cannot have line breaks, control characters, hidden characters or marks that change the direction of text. Take them out.'
  if (text !== '' && !VISIBLE.test(text)) return 'A name needs at least one letter, digit or symbol.'
  return null
}

/** A name in quotes, marked as another person's words. Older names lose the characters that the rule now refuses. */
export function quotedName(name: string): string {
  const plain = name.replaceAll(UNSAFE, ' ').replaceAll(/["“”„«»]/g, "'")
  return `“${plain.replaceAll(/\s+/g, ' ').trim()}”`
}

/** Turns control characters and line ends into spaces, because a name is used in headers and spoken text. */
export function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
