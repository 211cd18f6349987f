import { z } from 'zod'

const COMPARE = ['eq', 'ne', 'one_of', 'contains', 'starts_with', 'is_set', 'is_not_set'] as const
const ORDER = ['gt', 'gte', 'lt', 'lte'] as const

/** The operators that each field knows; `custom.<name>` is a field of the custom data. */
const OPERATORS: Record<string, readonly string[]> = {
  channel: COMPARE,
  language: COMPARE,
  band: COMPARE,
  tag: ['eq', 'ne', 'one_of', 'is_set', 'is_not_set'],
  agent_id: ['eq', 'ne', 'one_of', 'is_set', 'is_not_set'],
  custom: [...COMPARE, ...ORDER],
}

const FIELDS = Object.keys(OPERATORS).map((field) => (field === 'custom' ? 'custom.<name>' : field))
const FIELDS_AND_OPERATORS = Object.values(OPERATORS)
  .map((known, index) => `${FIELDS[index]} (${known.join(', ')})`)
  .join('; ')
const scalar = z.union([z.string().max(1_000), z.number(), z.boolean()])

const Test = z
  .strictObject({
    field: z
      .string()
      .regex(
        /^(?:channel|language|band|tag|agent_id|custom\.[A-Za-z0-9][A-Za-z0-9_-]{0,63})$/,
        `Use one of these fields: ${FIELDS.join(', ')}.`,
      ),
    op: z.string().max(20),
    value: z
      .union([scalar, z.array(scalar).min(1).max(100)], {
        error: 'Use text, a number, true or false, or for one_of an array of them.',
      })
      .optional(),
  })
  .superRefine(({ field, op, value }, context) => {
    const known = OPERATORS[field.split('.', 1)[0] ?? ''] ?? []
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (!known.includes(op))
      return refuse('op', `For the field ${field.split('.', 1)[0]} use one of ${known.join(', ')}.`)
    if (op === 'one_of' && !Array.isArray(value)) refuse('value', 'Use an array.')
    if (op !== 'one_of' && Array.isArray(value)) refuse('value', 'Use one value.')
    if (!op.startsWith('is_') && value === undefined) refuse('value', 'Add a value to compare with.')
    if ((ORDER as readonly string[]).includes(op) && typeof value !== 'number') refuse('value', 'Use a number.')
  })
  .transform(({ field, op, value }) => ({ field, op: op as (typeof COMPARE)[number] | (typeof ORDER)[number], value }))

const tests = z.array(Test).max(20)
const Grammar = z.union([z.strictObject({ all: tests }), z.strictObject({ any: tests })], {
  error: 'Use {"all": […]} or {"any": […]} of {field, op, value}.',
})

export type ReportFilter = z.output<typeof Grammar>
export type FilterTest = z.output<typeof Test>

/** The filter grammar (docs/specification.md, "Filters") as JSON in a query parameter. */
export const FilterParameter = z
  .string()
  .max(10_000)
  .transform((text, context): ReportFilter => {
    const result = Grammar.safeParse(parseJson(text))
    if (result.success) return result.data
    for (const { path, message } of result.error.issues) context.addIssue({ code: 'custom', path, message })
    return z.NEVER
  })
  .describe(`JSON \`{"all"|"any": [{field, op, value}]}\`. Fields and their operators: ${FIELDS_AND_OPERATORS}.`)

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
