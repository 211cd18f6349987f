import type { z } from 'zod'

const TYPES: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
}

const FORMATS: Record<string, string> = {
  date: 'Use a date such as 2026-11-22.',
  datetime: 'Use a time such as 2026-11-22T09:30:00Z.',
  email: 'Use an email address such as name@example.com.',
  url: 'Use a URL such as https://example.com/path.',
}

// A name that a caller chose may name a person. Only names that look like ours are repeated.
const IDENTIFIER = /^[\w-]{1,64}$/

const MOST_LISTED = 20

/** Whether an error may repeat a name that a caller chose. */
export function isIdentifier(name: string): boolean {
  return IDENTIFIER.test(name)
}

/** The path of a wrong value, such as `questions.0.title`. It ends before a name that is not an identifier. */
export function pathOf(path: readonly PropertyKey[]): string {
  const names = path.map(String)
  const end = names.findIndex((name) => !isIdentifier(name))
  return (end === -1 ? names : names.slice(0, end)).join('.')
}

// A name that a schema refuses is often the title of a column, so it is repeated unless it may be an address or a
// number.
const TITLE = /^[\p{L}\p{M}\p{N}_][\p{L}\p{M}\p{N} _.,:;#%&/()?-]{0,63}$/u
const NUMBER = /\d(?:[\s/().-]*\d){4}/

/** The message for a name that a map of names does not take: the name, and the first rule that it breaks. */
export function explainKey({ path, issues }: Pick<z.core.$ZodIssueInvalidKey, 'path' | 'issues'>): string {
  const key = String(path.at(-1))
  const named = isIdentifier(key) || (TITLE.test(key) && !NUMBER.test(key)) ? `The name \`${key}\`` : 'A name here'
  const [rule] = issues
  const reason = rule && (explainIssue(rule as z.core.$ZodRawIssue) ?? rule.message)
  return [`${named} is not valid.`, reason].filter(Boolean).join(' ')
}

/** The message for a wrong value. Undefined keeps the schema's own message. */
export function explainIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'Required.'
      return `This must be ${TYPES[issue.expected] ?? issue.expected}.`
    case 'too_small':
      return bound(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)
    case 'too_big':
      return bound(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)
    case 'invalid_value':
      return `This must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}.`
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options)
        ? `Use one of ${issue.options.map(String).join(', ')}.`
        : undefined
    case 'invalid_format':
      return FORMATS[issue.format]
    case 'unrecognized_keys':
      return unknownKeys(issue.keys)
    default:
      return undefined
  }
}

function bound(origin: string, how: string, limit: number | bigint): string {
  const plural = Number(limit) === 1 ? '' : 's'
  if (origin === 'string') return `This must have ${how} ${limit} character${plural}.`
  if (origin === 'array' || origin === 'set') return `This must have ${how} ${limit} item${plural}.`
  return `This must be ${how} ${limit}.`
}

/** The same for a value of a query. Its parameters look like members of a body otherwise. */
export function explainQueryIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'unrecognized_keys') return explainIssue(issue)
  return unknownKeys(issue.keys).replace('There is no ', 'There is no query parameter ')
}

function unknownKeys(keys: string[]): string {
  const listed = keys.slice(0, MOST_LISTED)
  const named = listed.filter(isIdentifier).map((key) => `\`${key}\``)
  if (named.length < listed.length) named.push('member of another form')
  if (listed.length < keys.length) named.push('nor what follows')
  return `There is no ${named.join(', ')} here. Check the spelling.`
}
