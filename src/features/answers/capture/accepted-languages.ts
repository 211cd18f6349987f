/** The tags of an `Accept-Language` header, the most wanted first (RFC 9110). */
export function acceptedLanguages(header: string): string[] {
  return header
    .slice(0, 1_000)
    .split(',')
    .map((part) => part.trim().split(/\s*;\s*q=/))
    .map(([tag = '', weight = '1']) => ({ tag, weight: Number(weight) || 0 }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag)
}
