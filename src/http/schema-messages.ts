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

/** What a person reads where a value does not fit; undefined leaves a schema's own words. */
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
    case 'unrecognized_keys':
      return `There is no ${issue.keys.map((key: string) => `\`${key}\``).join(', ')} here; check the spelling.`
    default:
      return undefined
  }
}

function bound(origin: string, how: string, limit: number | bigint): string {
  if (origin === 'string') return `This must have ${how} ${limit} characters.`
  if (origin === 'array' || origin === 'set') return `This must have ${how} ${limit} items.`
  return `This must be ${how} ${limit}.`
}
