// Controls and line breaks, and the marks that turn the direction of what follows: a name stays on its line and reads as it was written.
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

/** The reason why a text is no name of a person or a workspace; null for one that is. */
export function nameIssue(text: string): string | null {
  if (UNSAFE.test(text)) return 'A name may not hold line breaks, control characters or marks that change the direction of text. Take them out.'
  if (text !== '' && !VISIBLE.test(text)) return 'A name needs at least one letter, digit or symbol.'
  return null
}

/** A name in a text that people read, marked as somebody else's words. Names from before the rule lose what it refuses. */
export function quotedName(name: string): string {
  const plain = name.replaceAll(new RegExp(UNSAFE, 'gu'), ' ').replaceAll(/["“”„«»]/g, "'")
  return `“${plain.replaceAll(/\s+/g, ' ').trim()}”`
}
