/** The fields of a form. A name may appear several times. */
export type Fields = ReadonlyMap<string, readonly string[]>

/** Collects pairs of names and values, as a form sends them. */
export function fieldsFrom(pairs: Iterable<readonly [string, string]>): Fields {
  const fields = new Map<string, string[]>()
  for (const [name, value] of pairs) {
    const values = fields.get(name)
    if (values) values.push(value)
    else fields.set(name, [value])
  }
  return fields
}

export function field(fields: Fields, name: string): string | undefined {
  return fields.get(name)?.[0]
}
