const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' }

/** Leaves entities as they are, so that a text that passed here twice reads the same. */
export function escapeHtml(value: unknown): string {
  const text = value === null || value === undefined ? '' : Array.isArray(value) ? value.join('') : String(value)
  return text.replace(/&(?!(?:amp|lt|gt|#34|#39);)|[<>"']/g, (character) => ESCAPED[character] ?? '')
}
