const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/v
// A name stays on its line, reads as it was written, and hides nothing. U+2800 counts as a symbol, but shows nothing.
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/v
// Emoji, Japanese and Persian words need variation selectors after a character, and joiners between two.
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

/** The reason why a text is no name of a person or a workspace; null for one that is. */
export function nameIssue(text: string): string | null {
  if (text.search(UNSAFE) >= 0)
    return 'A name may not hold line breaks, control characters, hidden characters or marks that change the direction of text. Take them out.'
  if (text !== '' && !VISIBLE.test(text)) return 'A name needs at least one letter, digit or symbol.'
  return null
}

/** A name in a text that people read, marked as somebody else's words. Names from before the rule lose what it refuses. */
export function quotedName(name: string): string {
  const plain = name.replaceAll(UNSAFE, ' ').replaceAll(/["“”„«»]/g, "'")
  return `“${plain.replaceAll(/\s+/g, ' ').trim()}”`
}
