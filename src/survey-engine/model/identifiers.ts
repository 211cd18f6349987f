import type { Issues } from './definition.ts'

export interface Identified {
  path: string
  id: string
}

export interface IdRule {
  pattern: RegExp
  message: string
}

/** Question ids and variables. */
export const NAME: IdRule = {
  pattern: /^[A-Za-z][A-Za-z0-9_]{0,63}$/,
  message: 'Use a letter and up to 63 more letters, digits and underscores.',
}

/** Ids of choices, matrix lines, rules, endings and quotas, and custom fields. */
export const SLUG: IdRule = {
  pattern: /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/,
  message: 'Use up to 64 letters, digits, underscores and hyphens. Begin with a letter or digit.',
}

/** Reports ids that are malformed, used twice, or the name of a property that every object has. */
export function checkIds(issues: Issues, ids: Iterable<Identified>, { pattern, message }: IdRule): void {
  const seen = new Set<string>()
  for (const { path, id } of ids) {
    if (!pattern.test(id)) issues.add(path, message)
    else if (id in Object.prototype) issues.add(path, `Choose another id; ${id} is reserved.`)
    else if (seen.has(id)) issues.add(path, `Choose another id; ${id} is taken.`)
    seen.add(id)
  }
}
