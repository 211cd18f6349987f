import { z } from 'zod'
import { startSlices } from '../../platform/loop/turns.ts'
import { definitionOf, mostItems, withParts, type Schema } from '../../platform/schemas/schema-definition.ts'
import { withoutNulls } from './absent-nulls.ts'
import { badRequest, type Issue } from '../problems/problem.ts'
import { explainIssue, explainKey, pathOf } from './schema-messages.ts'

const MOST_ISSUES = 100
// A union gives a reason for each of its members. Past this many reasons it stops.
const MOST_EXPLAINED = 10_000

class TooManyIssuesError extends Error {}

/** @throws Problem 400 with an issue for each wrong value, at most 100. */
export function parse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  explain = explainIssue,
): z.output<Schema> {
  const { output, issues } = attempt(schema, value, [], explain)
  if (issues.length > 0) throw badRequest(issues.slice(0, MOST_ISSUES))
  return output as z.output<Schema>
}

/**
 * Parses a body, and validates its lists in slices so that a long one does not hold the event loop.
 * @throws Problem 400 with an issue for each wrong value, at most 100.
 */
export async function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): Promise<z.output<Schema>> {
  const lists = listsOf(schema)
  if (!lists || typeof body !== 'object' || body === null || Array.isArray(body)) return parse(schema, body)
  const slices = startSlices()
  const issues: Issue[] = []
  const given: Record<string, unknown> = { ...body }
  for (const { name, element, most } of lists.members) {
    const items = given[name]
    if (!Array.isArray(items) || items.length > most) continue
    const outputs: unknown[] = []
    for (let index = 0; index < items.length && issues.length < MOST_ISSUES; index++) {
      const item = attempt(element, items[index], [name, index])
      issues.push(...item.issues)
      outputs.push(item.output)
      if (slices.isOver()) await slices.next()
    }
    given[name] = outputs
  }
  const rest = attempt(issues.length > 0 ? lists.unrefined : lists.shallow, given)
  issues.push(...rest.issues)
  if (issues.length > 0) throw badRequest(issues.slice(0, MOST_ISSUES))
  return rest.output as z.output<Schema>
}

function attempt(
  schema: z.ZodType,
  value: unknown,
  at: PropertyKey[] = [],
  explain = explainIssue,
): { output: unknown; issues: Issue[] } {
  let explained = 0
  const error = (issue: z.core.$ZodRawIssue) => {
    explained += 1
    if (explained > MOST_EXPLAINED) throw new TooManyIssuesError()
    return explain(issue)
  }
  try {
    const result = schema.safeParse(withoutNulls(schema, value), { error })
    if (result.success) return { output: result.data, issues: [] }
    return {
      output: undefined,
      issues: result.error.issues
        .flatMap(unfolded)
        .map(({ path, message }) => ({ path: pathOf([...at, ...path]), message })),
    }
  } catch (thrown) {
    if (!(thrown instanceof TooManyIssuesError)) throw thrown
    return {
      output: undefined,
      issues: [
        { path: pathOf(at), message: 'Too many values here do not fit the schema. Compare them with the reference.' },
      ],
    }
  }
}

/**
 * The issues within the form of a union that the caller meant: the only one that has all the names given. If there is
 * no such form, the issue of the union itself. A refused name of a map says what a name may be.
 */
function unfolded(issue: z.core.$ZodIssue): Array<Pick<z.core.$ZodIssue, 'path' | 'message'>> {
  if (issue.code === 'invalid_key') return [{ path: issue.path, message: explainKey(issue) }]
  if (issue.code !== 'invalid_union') return [issue]
  const [meant, ...others] = issue.errors.filter((form) => form.length > 0 && form.every(({ path }) => path.length > 0))
  if (!meant || others.length > 0) return [issue]
  return meant.flatMap(unfolded).map(({ path, message }) => ({ path: [...issue.path, ...path], message }))
}

interface Lists {
  members: Array<{ name: string; element: z.ZodType; most: number }>
  /** The schema for a body whose list items are already validated. */
  shallow: z.ZodType
  /** The same without the rules that read the items. Used if some items do not fit. */
  unrefined: z.ZodType
}

const known = new WeakMap<z.ZodType, Lists | null>()

/** The lists among the members of an object. Null if there are none. */
function listsOf(schema: z.ZodType): Lists | null {
  const found = known.get(schema)
  if (found !== undefined) return found
  const lists = definitionOf(schema).shape ? readLists(schema) : null
  known.set(schema, lists)
  return lists
}

function readLists(schema: Schema): Lists | null {
  const members: Lists['members'] = []
  const shape = { ...definitionOf(schema).shape }
  for (const [name, member] of Object.entries(shape)) {
    const list = innermost(member)
    const { element } = definitionOf(list)
    if (!element) continue
    members.push({ name, element: element as z.ZodType, most: mostItems(list) })
    shape[name] = withUnknownItems(member)
  }
  if (members.length === 0) return null
  return { members, shallow: withParts(schema, { shape }), unrefined: withParts(schema, { shape }, { rules: false }) }
}

const AROUND_LISTS = ['optional', 'nullable', 'default']

/** The list in a wrapper through which its items are validated alone. */
function aroundList(schema: Schema): Schema | undefined {
  const { type, innerType } = definitionOf(schema)
  return AROUND_LISTS.includes(type) ? innerType : undefined
}

function innermost(schema: Schema): Schema {
  const inner = aroundList(schema)
  return inner ? innermost(inner) : schema
}

function withUnknownItems(schema: Schema): Schema {
  const inner = aroundList(schema)
  if (inner) return withParts(schema, { innerType: withUnknownItems(inner) })
  return definitionOf(schema).element ? withParts(schema, { element: z.unknown() }) : schema
}
