import { type ReadTx, sql } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'

export interface ReleasedText {
  /** Its place in the shuffled order, which says nothing of its response. */
  place: string
  question_id: string
  text: string
  language: string
}

/** One more than `limit`, after a place in the order that a secret gives, and how many there are in all. */
export async function listReleased(
  tx: ReadTx,
  surveyId: Id<'survey'>,
  { salt, after, limit }: { salt: string; after: string; limit: number },
): Promise<{ rows: ReleasedText[]; total: number }> {
  const texts = sql`
    select md5(${salt} || r.id::text || (given.item ->> 'question_id')) as place, given.item ->> 'question_id' as question_id,
      given.item ->> 'value' as text, r.language
    from responses r cross join lateral jsonb_array_elements(r.text) as given (item)
    where r.tenant_id = ${tx.tenantId} and r.survey_id = ${surveyId} and r.state = 'completed'
      and r.anonymity = 'counted' and given.item ->> 'question_id' <> all(r.uncounted)
      and r.erased_at is null and jsonb_typeof(given.item -> 'value') = 'string'`
  const { n } = await tx.one(sql<{ n: number }>`select count(*)::int as n from (${texts}) as released`)
  const rows = await tx.many(sql<ReleasedText>`
    select * from (${texts}) as released where place > ${after} order by place limit ${limit + 1}`)
  return { rows, total: n }
}
