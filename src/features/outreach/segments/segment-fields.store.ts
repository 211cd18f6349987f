import { sql, type RawBuilder, type ReadTx } from '../../../platform/database/database.ts'
import { compileFilter } from '../../../platform/filter/compile.ts'
import type { FilterContext, Fields } from '../../../platform/filter/entity.ts'
import type { Filter, FilterTest } from '../../../platform/filter/grammar.ts'
import { parseId } from '../../../platform/ids.ts'
import { requireSeen } from './references.ts'

/** `segment_id` of a response: whether the person who gave it is in a segment now. */
export const segmentFields: Fields = {
  segment_id: {
    kind: 'own',
    ops: ['eq', 'ne', 'one_of', 'not_one_of'],
    holds: { kind: 'id', idKind: 'segment' },
    namesFilters: 'person_id',
    compile: compileMembership,
  },
}

async function compileMembership(test: FilterTest, context: FilterContext): Promise<RawBuilder<unknown>> {
  const { alias, tx, now } = context
  const values = Array.isArray(test.value) ? test.value : [test.value]
  const ids = values.flatMap((value) => parseId('segment', String(value)) ?? [])
  const segments = await listFilters(tx, ids)
  if (context.asker) requireSeen(context.asker, segments)
  const filters = await Promise.all(
    segments.map(({ filter }) => compileFilter('people', filter, { tx, alias: 'member', now })),
  )
  const isMember =
    filters.length === 0
      ? sql`false`
      : sql`exists (select from people member where member.tenant_id = ${tx.tenantId}
          and member.id = ${sql.ref(`${alias}.person_id`)} and (${sql.join(filters, sql` or `)}))`
  return test.op === 'ne' || test.op === 'not_one_of' ? sql`not ${isMember}` : isMember
}

/** The filters of these segments. */
export function listFilters(tx: ReadTx, ids: string[]): Promise<Array<{ filter: Filter }>> {
  return tx.many(sql<{ filter: Filter }>`
    select filter from segments where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`)
}
