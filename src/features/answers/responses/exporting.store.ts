import { type RawBuilder, type ReadTx, sql } from '../../../platform/database.ts'
import type { ExportKey } from '../../../platform/export-source.ts'
import type { StoredValue } from '../../../survey-engine/types/behaviour.ts'
import type { ResponseRow } from './response-row.ts'

type AsStored =
  | 'id'
  | 'survey_id'
  | 'survey_version'
  | 'state'
  | 'channel'
  | 'language'
  | 'metric'
  | 'score'
  | 'band'
  | 'agent_id'
  | 'person_id'
  | 'duration_ms'

/** Only what an export shows. Lists and records that are empty are null. Times are texts in UTC. */
export interface ExportedResponse extends Pick<ResponseRow, AsStored> {
  /** By question. */
  answers: Record<string, StoredValue> | null
  started_at: string
  completed_at: string | null
  text: ResponseRow['text'] | null
  custom_data: ResponseRow['custom_data'] | null
  tags: string[] | null
  notes: ResponseRow['notes'] | null
  quality_flags: string[] | null
}

/** @param condition a filter on the alias `r`. Deleted ones only if it names states. */
export function selectKeys(
  tx: ReadTx,
  condition: RawBuilder<unknown>,
  { namesState }: { namesState: boolean },
): RawBuilder<ExportKey> {
  return sql<ExportKey>`
    select r.id, null::text as member from responses r
    where r.tenant_id = ${tx.tenantId} and ${namesState ? sql`true` : sql`r.state <> 'deleted'`} and ${condition}`
}

// Prepared, because planning took as long as reading. What is empty is not sent: parsing took longer than all else.
const LIST = `
  select id, survey_id, survey_version, state, channel, language, metric, score, band, agent_id, person_id,
    duration_ms, (started_at at time zone 'UTC')::text as started_at, (completed_at at time zone 'UTC')::text as completed_at,
    (select jsonb_object_agg(each ->> 'question_id', each -> 'value') from jsonb_array_elements(answers) as each) as answers,
    nullif(text, '[]') as text, nullif(custom_data, '{}') as custom_data, nullif(tags, '{}') as tags,
    nullif(notes, '[]') as notes, nullif(quality_flags, '{}') as quality_flags
  from responses
  where tenant_id = $1 and id = any($2::uuid[]) and anonymity is null and (erased_at is null or erased_at < $3)
    and (state <> 'deleted' or ($4 and updated_at < $3))
  order by id`

/** Those that nobody erased or deleted since the snapshot. */
export function listExported(
  tx: ReadTx,
  ids: string[],
  { snapshotAt, wantsDeleted }: { snapshotAt: Date; wantsDeleted: boolean },
): Promise<ExportedResponse[]> {
  return tx.prepared<ExportedResponse>({
    name: 'list-exported-responses',
    text: LIST,
    values: [tx.tenantId, ids, snapshotAt, wantsDeleted],
  })
}
