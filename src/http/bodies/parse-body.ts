import { z } from 'zod'
import { startSlices } from '../../platform/loop/turns.ts'
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
  const lists = schema instanceof z.ZodObject ? readLists(schema) : null
  known.set(schema, lists)
  return lists
}

function readLists(schema: z.ZodObject): Lists | null {
  const members: Lists['members'] = []
  const shape: Record<string, z.core.$ZodType> = { ...schema.def.shape }
  for (const [name, member] of Object.entries(schema.def.shape)) {
    const list = innermost(member)
    if (!(list instanceof z.ZodArray)) continue
    members.push({ name, element: list.element as z.ZodType, most: mostItems(list) })
    shape[name] = withUnknownItems(member)
  }
  if (members.length === 0) return null
  return {
    members,
    shallow: schema.clone({ ...schema.def, shape }),
    unrefined: schema.clone({ ...schema.def, shape, checks: [] }),
  }
}

function mostItems(list: z.ZodArray): number {
  const limits = (list.def.checks ?? []).map(({ _zod: { def } }) =>
    def.check === 'max_length' ? (def as z.core.$ZodCheckMaxLengthDef).maximum : Infinity,
  )
  return Math.min(Infinity, ...limits)
}

function innermost(schema: z.core.$ZodType): z.core.$ZodType {
  return isWrapper(schema) ? innermost(schema.def.innerType) : schema
}

function withUnknownItems(schema: z.core.$ZodType): z.core.$ZodType {
  if (isWrapper(schema))
    return schema.clone({ ...schema.def, innerType: withUnknownItems(schema.def.innerType) } as never)
  return schema instanceof z.ZodArray ? schema.clone({ ...schema.def, element: z.unknown() }) : schema
}

function isWrapper(schema: z.core.$ZodType): schema is z.ZodOptional | z.ZodNullable | z.ZodDefault {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
}
