import { LIMITS } from '../../model/limits.ts'

/**
 * The texts of the items in one line. It stops at the length that a placeholder shows, because labels may have
 * megabytes.
 */
export function joined<Item>(items: readonly Item[], separator: string, textOf: (item: Item) => string): string {
  const texts: string[] = []
  let length = 0
  for (const item of items) {
    if (length - separator.length > LIMITS.pipedLength) break
    const text = textOf(item)
    texts.push(text)
    length += text.length + separator.length
  }
  return texts.join(separator)
}
