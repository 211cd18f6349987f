import { definitionOf, wrappedIn, type Schema } from '../../platform/schemas/schema-definition.ts'
import { SECRETS } from '../../platform/schemas/secret-schema.ts'
import { startSlices } from '../../platform/loop/turns.ts'
import { uuidOf, type AnswerCopy } from '../../platform/personal.ts'

/** Whether an answer of this schema can have a secret. */
export function holdsSecret(schema: Schema | undefined): boolean {
  if (!schema) return false
  const { innerType, element, options = [], valueType, shape = {} } = definitionOf(schema)
  return SECRETS.has(schema) || [innerType, element, valueType, ...options, ...Object.values(shape)].some(holdsSecret)
}

/** A copy of an answer in which each value that its schema marks as a secret is masked. */
export function maskSecrets(schema: Schema | undefined, value: unknown): unknown {
  if (!schema || typeof value !== 'object' || value === null) return schema && isMarked(schema) ? masked(value) : value
  if (isMarked(schema)) return masked(value)
  const definition = definitionOf(schema)
  const { element, options, valueType, shape } = definition
  const wrapped = wrappedIn(definition)
  if (wrapped) return maskSecrets(wrapped, value)
  if (options) return options.reduce((kept: unknown, option) => maskSecrets(option, kept), value)
  if (Array.isArray(value)) return value.map((item) => maskSecrets(element, item))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      maskSecrets(shape && Object.hasOwn(shape, name) ? shape[name] : valueType, member),
    ]),
  )
}

function isMarked(schema: Schema): boolean {
  const wrapped = wrappedIn(definitionOf(schema))
  return SECRETS.has(schema) || (wrapped !== undefined && isMarked(wrapped))
}

function masked(value: unknown): unknown {
  if (typeof value === 'string') return mask(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(masked)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, masked(member)]))
}

/** Shows the prefix and four characters, then twelve asterisks: `whsec_1a2b************`. */
function mask(value: string): string {
  const prefix = /^[a-z]+_(live_)?/.exec(value)?.[0] ?? ''
  return `${value.slice(0, prefix.length + 4)}${'*'.repeat(12)}`
}

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
const ID = /^[a-z]{2,4}_[0-9a-z]{26}$/
const SHORTEST_NUMBER = 100_000

/** The texts of a JSON answer, without moments and ids, whose digits would look like phone numbers. */
export async function textsOfAnswer(body: string): Promise<Omit<AnswerCopy, 'id' | 'since'>> {
  const texts: string[] = []
  const named = new Set<string | null>()
  const slices = startSlices()
  const waiting: unknown[] = body === '' ? [] : [JSON.parse(body)]
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (slices.isOver()) await slices.next()
    if (typeof value === 'object' && value !== null) {
      for (const [name, item] of Object.entries(value)) if (item !== null) waiting.push(name, item)
    } else if (typeof value === 'number' && value >= SHORTEST_NUMBER) texts.push(String(value))
    else if (typeof value === 'string') {
      if (!ID.test(value) && !MOMENT.test(value)) texts.push(value)
      else named.add(uuidOf(value))
    }
  }
  return { texts, named: [...named].filter((id) => id !== null) }
}
