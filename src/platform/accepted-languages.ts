/** The tags of an `Accept-Language` header, the most wanted first (RFC 9110). */
export function acceptedLanguages(header: string): string[] {
  return header
    .slice(0, 1_000)
    .split(',')
    .map((part) => part.trim().split(/\s*;\s*q=/i))
    .map(([tag = '', weight = '1']) => ({ tag, weight: Number(weight) || 0 }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag)
}

/** The first wish that is among main tags such as `de` (`de-AT` means `de` too). Null if none is. */
export function bestLanguage(wishes: Iterable<string | null | undefined>, languages: readonly string[]): string | null {
  for (const wish of wishes) {
    const main = wish?.split('-', 1)[0]?.toLowerCase()
    if (main !== undefined && languages.includes(main)) return main
  }
  return null
}
