import type { Filter } from '../../app/list-state.ts'

/** Detractors of NPS. */
export const DETRACTORS: Filter = {
  all: [
    { field: 'metric', op: 'eq', value: 'nps' },
    { field: 'score', op: 'lte', value: 6 },
  ],
}

/**
 * Whether a filter tests a score and leaves open on which scale: neither a metric nor a survey is chosen. 6 is a bad
 * score in NPS, and above the best one in CSAT.
 */
export function leavesScaleOpen(filter: Filter, surveyIds: string[]): boolean {
  const fields = fieldsIn(filter)
  return fields.includes('score') && surveyIds.length !== 1 && !fields.some((field) => SCALES.includes(field))
}

const SCALES = ['metric', 'band', 'survey_id']

function fieldsIn(filter: Filter): string[] {
  if ('all' in filter) return filter.all.flatMap(fieldsIn)
  if ('any' in filter) return filter.any.flatMap(fieldsIn)
  return 'not' in filter ? fieldsIn(filter.not) : [filter.field]
}
