type Value = string | number | boolean

/** An attribute while it is edited. */
export interface Draft {
  name: string
  text: string
}

/**
 * The attributes that changed, with null for those that are gone. A typed text stays of the kind that the attribute
 * had, if it can be read so. A new one is a number or a boolean if it looks like one.
 */
export function changedAttributes(before: Record<string, Value>, drafts: Draft[]): Record<string, Value | null> {
  const named = drafts.map(({ name, text }) => ({ name: name.trim(), text: text.trim() }))
  const next = new Map(
    named
      .filter(({ name, text }) => name !== '' && text !== '')
      .map(({ name, text }) => [name, valueOf(text, before[name])]),
  )
  const gone = Object.keys(before).filter((name) => !next.has(name))
  const changed = [...next].filter(([name, value]) => before[name] !== value)
  return Object.fromEntries([...changed, ...gone.map((name) => [name, null] as const)])
}

function valueOf(text: string, was: Value | undefined): Value {
  if (typeof was === 'string') return text
  if (/^(?:true|false)$/.test(text)) return text === 'true'
  return /^-?\d{1,15}(?:\.\d+)?$/.test(text) ? Number(text) : text
}
