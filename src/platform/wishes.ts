const LONGEST = 1_000

/** The values that a header such as `Accept-Language` names, each with its weight (RFC 9110). A refused one has 0. */
export function weightsIn(header: string): Array<{ name: string; weight: number }> {
  return header
    .slice(0, LONGEST)
    .split(',')
    .map((part) => {
      const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim())
      const weight = parameters.find((parameter) => /^q=/i.test(parameter))
      return { name, weight: weight === undefined ? 1 : Number(weight.slice(2)) || 0 }
    })
}

/** The values that such a header asks for, the most wanted first. It leaves out refused values. */
export function wishesIn(header: string): string[] {
  return weightsIn(header)
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ name }) => name)
}

/** The first wish that is among main tags such as `de` (`de-AT` means `de` too). Null if none is. */
export function bestLanguage(wishes: Iterable<string | null | undefined>, languages: readonly string[]): string | null {
  for (const wish of wishes) {
    const main = wish?.split(/[-_]/, 1)[0]?.toLowerCase()
    if (main !== undefined && languages.includes(main)) return main
  }
  return null
}
