/** The fields of a person that a column may hold. An attribute has a name besides. */
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

const LONGEST_NAME = 64
const ATTRIBUTE_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/

/**
 * A valid name of an attribute for each column, no two alike. A name that is valid stays as it is, unless an attribute
 * of other people differs from it in capital letters alone.
 */
export function proposeNames(columns: string[], known: string[] = []): string[] {
  const spelt = new Map(known.map((name) => [name.toLowerCase(), name]))
  const taken = new Set<string>()
  return columns.map((column, at) => {
    const wanted = nameOf(column) || `column_${at + 1}`
    const first = known.includes(wanted) ? wanted : (spelt.get(wanted.toLowerCase()) ?? wanted)
    let name = first
    for (let n = 2; taken.has(name); n++) name = `${first.slice(0, LONGEST_NAME - 4)}_${n}`
    taken.add(name)
    return name
  })
}

// Without the beginning that our own exports give to attributes.
function nameOf(column: string): string {
  const name = column.trim().replace(/^attribute\./, '')
  if (ATTRIBUTE_NAME.test(name)) return name
  const plain = name.replaceAll('ß', 'ss').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return (plain.match(/[a-z0-9]+/g) ?? []).join('_').slice(0, LONGEST_NAME)
}

/** The faults in the names of the columns that become attributes, by their place. */
export function nameFaults(targets: Target[], names: string[]): Map<number, 'form' | 'twice'> {
  const faults = new Map<number, 'form' | 'twice'>()
  const met = new Set<string>()
  for (const [at, target] of targets.entries()) {
    if (target !== 'attribute') continue
    const name = (names[at] ?? '').trim()
    if (!ATTRIBUTE_NAME.test(name)) faults.set(at, 'form')
    else if (met.has(name)) faults.set(at, 'twice')
    met.add(name)
  }
  return faults
}

/** The rows of a file as people. Empty cells are absent. */
export function peopleOf(targets: Target[], names: string[], rows: string[][]): ImportedPerson[] {
  return rows.map((cells) => {
    const person: ImportedPerson = {}
    for (const [at, target] of targets.entries()) {
      const value = (cells[at] ?? '').trim()
      if (target === 'none' || value === '') continue
      if (target === 'attribute') person.attributes = { ...person.attributes, [(names[at] ?? '').trim()]: value }
      else person[target] = value
    }
    return person
  })
}
