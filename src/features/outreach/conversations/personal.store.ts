import { type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'

export interface PersonalConversation {
  id: string
  channel: 'sms' | 'voice'
  number: string
  address_hash: string
  masked: string
  survey_id: Id<'survey'>
  language: string
  response_id: Id<'response'> | null
  sealed: string | null
  opening: string | null
  opened_at: Date
  ended_at: Date | null
  ended_reason: string | null
}

const COLUMNS = sql.raw(
  `c.id, c.channel, c.number, c.address_hash, c.masked, c.survey_id, c.language, c.response_id, c.sealed, c.opening,
   c.opened_at, c.ended_at, c.ended_reason`,
)

/** Conversations with these addresses, and those of these responses. */
export function listOfPerson(
  tx: ReadTx,
  hashes: string[],
  responseIds: Id<'response'>[],
): Promise<PersonalConversation[]> {
  return tx.many(sql<PersonalConversation>`
    select ${COLUMNS} from conversations c
    where c.tenant_id = ${tx.tenantId} and c.address_hash = any(${hashes}::text[]) and c.address_hash > ''
    union
    select ${COLUMNS} from conversations c
    where c.tenant_id = ${tx.tenantId} and c.response_id = any(${responseIds}::uuid[]) and c.response_id is not null
    order by id`)
}

export function listConversations(tx: ReadTx, ids: string[]): Promise<PersonalConversation[]> {
  return tx.many(
    sql<PersonalConversation>`select ${COLUMNS} from conversations c where c.tenant_id = ${tx.tenantId} and c.id = any(${ids}::uuid[]) order by c.id`,
  )
}

/** Turns of people who wrote without a conversation. */
export async function listStrangerTurns(tx: ReadTx, hashes: string[]): Promise<string[]> {
  const rows = await tx.many(sql<{ id: string }>`
    select id from conversation_turns
    where tenant_id = ${tx.tenantId} and split_part(stranger_hash, ':', 2) = any(${hashes}::text[]) and stranger_hash is not null order by id`)
  return rows.map(({ id }) => id)
}

export async function listTurns(tx: ReadTx, conversationIds: string[]): Promise<string[]> {
  const rows = await tx.many(sql<{ id: string }>`
    select id from conversation_turns
    where tenant_id = ${tx.tenantId} and conversation_id = any(${conversationIds}::uuid[]) and conversation_id is not null
    order by id`)
  return rows.map(({ id }) => id)
}

/** Replaces the replies, and forgets whose they were. */
export function eraseTurns(tx: TenantTx, turns: Array<{ id: string; reply: string }>): Promise<number> {
  return tx.run(sql`
    update conversation_turns t set reply = given.reply, exchange = null, conversation_id = null, stranger_hash = null
    from unnest(${turns.map(({ id }) => id)}::uuid[], ${turns.map(({ reply }) => reply)}::text[]) as given(id, reply)
    where t.tenant_id = ${tx.tenantId} and t.id = given.id`)
}

export function deleteConversations(tx: TenantTx, ids: string[]): Promise<number> {
  return tx.run(sql`delete from conversations where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`)
}
