import type { Widget } from './queries.ts'

/** Which rows a figure counts: complete answers, or all that began. Null where the question does not arise. */
export function populationOf({
  source,
  measure,
  filter,
}: Pick<Widget['query'], 'source' | 'measure'> & { filter?: unknown }) {
  if (source !== 'responses') return null
  if (SCORES.includes(measure)) return 'ofComplete'
  if (measure === 'completion_rate') return 'ofBegun'
  if (measure !== 'count') return null
  return JSON.stringify(filter ?? null).includes(COMPLETED) ? 'onlyComplete' : 'allBegan'
}

const SCORES: readonly string[] = ['nps', 'csat', 'ces', 'score']
const COMPLETED = JSON.stringify({ field: 'state', op: 'eq', value: 'completed' })
