const UNSAFE: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => UNSAFE[char] as string)
}

/** Text with `code` in backticks, as our descriptions write it. */
export function inline(text: string): string {
  return escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

export function paragraphs(text: string): string {
  return text
    .split(/\n{2,}/)
    .map((part) => `<p>${inline(part)}</p>`)
    .join('')
}
