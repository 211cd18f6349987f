import type { ReadTx } from '../../../platform/database/database.ts'
import type { RowsWidget } from '../../../platform/fields/parts.ts'
import type { Filter } from '../../../platform/filter/grammar.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { surveyTraits } from '../../surveys/surveys/published-surveys.service.ts'
import * as other from './other-figures.store.ts'
import { ROWS, type Query, type Source } from './query.ts'
import * as store from './response-figures.store.ts'

/** Everything of a dashboard that its widgets share. */
export interface Frame {
  scope: Scope
  tx: ReadTx
  filter: Filter
  timezone: string
  from: Date
  to: Date
  previousFrom: Date
  /** Whether people outside the workspace read it. Then rare groups, which could name a person, are left out. */
  isPublic: boolean
  crowded: Set<Id<'survey'>>
  /** Read once, when a query needs it. */
  known: { traits?: ReturnType<typeof surveyTraits> }
}

type Asked = Omit<store.Asked, 'measure' | 'dimensions'>

/** The newest rows of the period. */
export function rowsOf(frame: Frame, query: Query, { list }: RowsWidget) {
  const filter: Filter = {
    all: [
      { field: 'completed_at', op: 'gte', value: frame.from.toISOString() },
      { field: 'completed_at', op: 'lt', value: frame.to.toISOString() },
      ...(query.survey_ids?.length ? [{ field: 'survey_id', op: 'one_of' as const, value: query.survey_ids }] : []),
      frame.filter,
      ...(query.filter ? [query.filter] : []),
    ],
  }
  return list(frame.scope, frame.tx, filter, query.limit ?? ROWS)
}

/** How many came to each step. A step's value is its share of the first one, in per cent. */
export async function funnelOf({ tx }: Frame, asked: Asked, source: Source) {
  const steps: Array<[string, number]> = Object.entries(
    source === 'sends' ? await other.countSendSteps(tx, asked) : await store.countSteps(tx, asked),
  )
  const first = steps[0]?.[1] ?? 0
  return {
    enough: true,
    n: first,
    rows: steps.map(([key, n]) => ({
      key,
      label: key,
      enough: true,
      n,
      value: first === 0 ? null : Math.round((n * 10_000) / first) / 100,
    })),
  }
}
