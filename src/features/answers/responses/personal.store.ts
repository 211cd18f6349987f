import { json, type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import { responses, type ResponseRow } from '../rows/response.entity.ts'

/** With the moment at which reports count it. */
export type PersonalResponse = ResponseRow & { recorded_at: Date }

const COLUMNS = sql`${responses.list()}, recorded_at`

export function listRows(tx: ReadTx, ids: string[]): Promise<PersonalResponse[]> {
  return tx.many(sql<PersonalResponse>`
    select ${COLUMNS} from responses where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) order by id`)
}

/** Those that nobody has deleted or erased. */
export function listUnerased(tx: ReadTx, ids: string[]): Promise<Array<{ id: string; is_anonymous: boolean }>> {
  return tx.many(sql<{ id: string; is_anonymous: boolean }>`
    select id, anonymity is not null as is_anonymous from responses
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) and erased_at is null and state <> 'deleted' order by id`)
}

/** Responses that these people gave. */
export async function listOfPeople(tx: ReadTx, people: string[]): Promise<Array<PersonalResponse['id']>> {
  const rows = await tx.many(sql<Pick<PersonalResponse, 'id'>>`
    select id from responses
    where tenant_id = ${tx.tenantId} and person_id = any(${people}::uuid[]) and person_id is not null order by id`)
  return rows.map(({ id }) => id)
}

export async function listWithNotes(tx: ReadTx, ids: string[]): Promise<string[]> {
  const rows = await tx.many(sql<{ id: string }>`
    select id from responses
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) and notes <> '[]' order by id`)
  return rows.map(({ id }) => id)
}

export function eraseNotes(tx: TenantTx, ids: string[]): Promise<number> {
  return tx.run(sql`
    update responses set notes = '[]' where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) and notes <> '[]'`)
}

export function lockRows(tx: TenantTx, ids: string[]): Promise<PersonalResponse[]> {
  return tx.many(sql<PersonalResponse>`
    select ${COLUMNS} from responses
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) order by id for update`)
}

/** Leaves these words of members about a response. */
export function keepWords(
  tx: TenantTx,
  { id, notes, tags }: Pick<PersonalResponse, 'id' | 'notes' | 'tags'>,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update responses set notes = ${json(notes)}, tags = ${tags}::text[], updated_at = ${now}
    where tenant_id = ${tx.tenantId} and id = ${id}`)
}

interface ErasedRow extends Pick<ResponseRow, 'survey_id'> {
  recorded_at: Date
  is_anonymous: boolean
}

/** Removes the person. A score and the way through the survey stay. */
export function eraseResponses(tx: TenantTx, ids: string[], now: Date): Promise<ErasedRow[]> {
  return tx.many(sql<ErasedRow>`
    update responses set ${responses.erasing}, erased_at = ${now}, updated_at = ${now}
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) and erased_at is null and state <> 'deleted'
    returning survey_id, recorded_at, anonymity is not null as is_anonymous`)
}
