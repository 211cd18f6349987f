import type { Kind } from '../../../../survey-engine/types/behaviour.ts'
import { kindOf, QUESTION_TYPES } from '../../../../survey-engine/types/registry.ts'
import { METRICS } from '../../../../survey-engine/model/definition.ts'

// SQL that two stores share, as text.

/** The first answer of a response `r` to a question of each metric, as `scored (type, value)`. */
export const FIRST_SCORES = `cross join lateral (values ${METRICS.map(
  (type) => `('${type}', jsonb_path_query_first(r.answers, '$[*] ? (@.type == "${type}").value') #>> '{}')`,
).join(', ')}) as scored (type, value)`

/** Whether an answer is to a question of a kind. */
const isOf = (kind: Kind) =>
  `given.item ->> 'type' in (${QUESTION_TYPES.filter((type) => kindOf(type) === kind)
    .map((type) => `'${type}'`)
    .join(', ')})`

/**
 * Each answer of a response `r` as `given.item`, and its parts as `single (part, value)`. A date counts by month, and a
 * multiple answer by each part: with its row in a matrix, its place in a ranking.
 */
export const ANSWER_PARTS = `
  cross join lateral jsonb_array_elements(r.answers) as given (item)
  cross join lateral (
    select null as part,
      case when ${isOf('date')} then left(given.item ->> 'value', 7) else given.item ->> 'value' end as value
    where jsonb_typeof(given.item -> 'value') not in ('array', 'object')
    union all
    select case when ${isOf('ranking')} then place::text end, element #>> '{}'
    from jsonb_array_elements(case when jsonb_typeof(given.item -> 'value') = 'array' then given.item -> 'value' else '[]' end)
      with ordinality as listed (element, place)
    union all
    select line, cell #>> '{}'
    from jsonb_each(case when jsonb_typeof(given.item -> 'value') = 'object' then given.item -> 'value' else '{}' end) as cells (line, cell)
  ) as single`
