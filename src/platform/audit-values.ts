import { isAnyId } from './ids.ts'
import { definitionOf, wrappedIn, type Schema } from './schemas/schema-definition.ts'

/**
 * Which values of an answer the audit log may hold, by its schema. `any`: a switch, a number, a state, a time or a
 * network, which can be neither personal nor secret. `id`: a text, which may stand there only if it is an id.
 */
export type Loggable = 'any' | 'id' | 'none' | { [member: string]: Loggable }

const PLAIN = new Set(['number', 'boolean', 'null', 'undefined', 'literal', 'enum'])
const PLAIN_TEXTS = new Set(['datetime', 'date', 'cidrv4', 'cidrv6'])

/** The list of values that may be logged, made from a schema. */
export function loggableIn(schema: Schema): Loggable {
  const definition = definitionOf(schema)
  const { type, format, element, options, shape } = definition
  if (PLAIN.has(type)) return 'any'
  if (type === 'string') return format !== undefined && PLAIN_TEXTS.has(format) ? 'any' : 'id'
  const wrapped = wrappedIn(definition)
  if (wrapped) return loggableIn(wrapped)
  if (element) return scalar([loggableIn(element)])
  if (options) return scalar(options.map(loggableIn))
  if (!shape) return 'none'
  return Object.fromEntries(Object.entries(shape).map(([name, member]) => [name, loggableIn(member)]))
}

/** Of several that one value may be: the strictest. */
function scalar(all: Loggable[]): Loggable {
  if (!all.every((one) => one === 'any' || one === 'id')) return 'none'
  return all.includes('id') ? 'id' : 'any'
}

/** Whether a value may stand in the log. */
export function isLoggable(loggable: Loggable | undefined, value: unknown): boolean {
  if (loggable === 'any') return true
  if (value === null || value === undefined) return true
  if (Array.isArray(value)) return loggable === 'id' && value.every((item) => isLoggable('id', item))
  return loggable === 'id' && typeof value === 'string' && isAnyId(value)
}
