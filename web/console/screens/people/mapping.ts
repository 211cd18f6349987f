/** The fields of a person that a column may hold. `attribute` keeps the name of the column. */
export const TARGETS = ['none', 'email', 'phone', 'name', 'external_id', 'language', 'timezone', 'attribute'] as const
export type Target = (typeof TARGETS)[number]

const GUESSES: Array<[Target, RegExp]> = [
  ['email', /e-?mail|correo|البريد/i],
  ['phone', /phone|mobile|tel|handy|الهاتف/i],
  ['external_id', /^(?:external[ _]?id|id|customer[ _]?(?:id|number|no)|kunden(?:nummer|nr))$/i],
  ['language', /lang|sprache|idioma|اللغة/i],
  ['timezone', /time[ _]?zone|zeitzone|zona/i],
  ['name', /^(?:full[ _]?)?name$|nombre|الاسم/i],
]

/** A guess for each column, by its name. No two columns get the same field, but for attributes. */
export function guessTargets(columns: string[]): Target[] {
  const taken = new Set<Target>()
  return columns.map((column) => {
    const found = GUESSES.find(([target, pattern]) => !taken.has(target) && pattern.test(column.trim()))?.[0]
    if (found === undefined) return column.trim() === '' ? 'none' : 'attribute'
    taken.add(found)
    return found
  })
}

export interface ImportedPerson {
  email?: string
  phone?: string
  name?: string
  external_id?: string
  language?: string
  timezone?: string
  attributes?: Record<string, string>
}

/** The rows of a file as people. Empty cells are absent. */
export function peopleOf(columns: string[], targets: Target[], rows: string[][]): ImportedPerson[] {
  return rows.map((cells) => {
    const person: ImportedPerson = {}
    for (const [at, target] of targets.entries()) {
      const value = (cells[at] ?? '').trim()
      if (target === 'none' || value === '') continue
      if (target === 'attribute') person.attributes = { ...person.attributes, [nameOf(columns[at] ?? '')]: value }
      else person[target] = value
    }
    return person
  })
}

// As our own exports name them.
function nameOf(column: string): string {
  return column.trim().replace(/^attribute\./, '')
}
