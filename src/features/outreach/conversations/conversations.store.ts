import {
  type ValueQuery,
  type ReadTx,
  sql,
  type TenantTx,
  type Statement,
} from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { AgeRange } from '../../../platform/work/retention.ts'

export type EndReason =
  | 'completed'
  | 'invalid'
  | 'refused'
  | 'stopped'
  | 'expired'
  | 'superseded'
  | 'silent'
  | 'hung_up'
  | 'survey_closed'
  | 'answered_before'
  | 'number_removed'

/** The state of a conversation. */
export interface ConversationState {
  survey_version: number
  response_id: Id<'response'> | null
  asked: string | null
  part: string | null
  seen: string[]
  tries: number
  silences: number
  step: number
  sealed: string | null
  next_action_at: Date | null
  reminded_at: Date | null
  updated_at: Date
  ended_at: Date | null
  ended_reason: EndReason | null
  late_told: boolean
}

export interface ConversationRow extends ConversationState {
  id: string
  channel: 'sms' | 'voice'
  number: string
  address_hash: string
  masked: string
  survey_id: Id<'survey'>
  language: string
  send_id: Id<'send'> | null
  call_id: string | null
  opening: string | null
  opened_at: Date
}

const STATE = [
  'survey_version',
  'response_id',
  'asked',
  'part',
  'seen',
  'tries',
  'silences',
  'step',
  'sealed',
  'next_action_at',
  'reminded_at',
  'updated_at',
  'ended_at',
  'ended_reason',
  'late_told',
] as const satisfies Array<keyof ConversationState>
const NAMES = [
  'id',
  'channel',
  'number',
  'address_hash',
  'masked',
  'survey_id',
  'language',
  'send_id',
  'call_id',
  'opening',
  'opened_at',
  ...STATE,
] as const satisfies Array<keyof ConversationRow>
const COLUMNS = sql.raw(NAMES.join(', '))

const INSERT = `insert into conversations (tenant_id, ${NAMES.join(', ')}) values ($1, ${NAMES.map((_, at) => `$${at + 2}`).join(', ')})`
const UPDATE = `update conversations set ${STATE.map((name, at) => `${name} = $${at + 3}`).join(', ')} where tenant_id = $1 and id = $2`

/**
 * False if another one was first. There is one open conversation for each number and person, and one for each call and
 * each send.
 */
export async function insertConversationOnce(tx: TenantTx, row: ConversationRow): Promise<boolean> {
  const rows = await tx.prepared({
    name: 'insert-conversation-once',
    text: `${INSERT} on conflict do nothing returning id`,
    values: [tx.tenantId, ...NAMES.map((name) => row[name])],
  })
  return rows.length === 1
}

/** Fails if another one was first. */
export function insertConversation(tx: TenantTx, row: ConversationRow): Statement {
  return { name: 'insert-conversation', text: INSERT, values: [tx.tenantId, ...NAMES.map((name) => row[name])] }
}

export function updateConversation(tx: TenantTx, row: ConversationRow): Statement {
  return {
    name: 'update-conversation',
    text: UPDATE,
    values: [tx.tenantId, row.id, ...STATE.map((name) => row[name])],
  }
}

/** Finds the survey of an open conversation. */
export function surveyOfOpen(number: string, addressHash: string): ValueQuery {
  return columnOfOpen('survey_id', number, addressHash)
}

/** Finds the response of an open conversation. */
export function responseOfOpen(number: string, addressHash: string): ValueQuery {
  return columnOfOpen('response_id', number, addressHash)
}

function columnOfOpen(column: string, number: string, addressHash: string): ValueQuery {
  const text = `select ${column} from conversations
    where tenant_id = $1 and number = $2 and address_hash = $3 and channel = 'sms' and ended_at is null`
  return { text, values: [number, addressHash] }
}

/** Locks the open SMS conversation of one number with one person, so that its turns run one after another. */
export async function lockOpen(
  tx: TenantTx,
  number: string,
  addressHash: string,
): Promise<ConversationRow | undefined> {
  const rows = await tx.prepared<ConversationRow>({
    name: 'lock-open-conversation',
    text: `select ${NAMES.join(', ')} from conversations
     where tenant_id = $1 and number = $2 and address_hash = $3 and channel = 'sms' and ended_at is null for update`,
    values: [tx.tenantId, number, addressHash],
  })
  return rows[0]
}

export async function lockCall(tx: TenantTx, callId: string): Promise<ConversationRow | undefined> {
  const rows = await tx.prepared<ConversationRow>({
    name: 'lock-call-conversation',
    text: `select ${NAMES.join(', ')} from conversations where tenant_id = $1 and call_id = $2 for update`,
    values: [tx.tenantId, callId],
  })
  return rows[0]
}

/** The latest SMS conversation of one number with one person, open or ended. */
export function findLatest(tx: ReadTx, number: string, addressHash: string): Promise<ConversationRow | undefined> {
  return tx.maybe(sql<ConversationRow>`
    select ${COLUMNS} from conversations
    where tenant_id = ${tx.tenantId} and number = ${number} and address_hash = ${addressHash} and channel = 'sms'
    order by id desc limit 1`)
}

export function findOfSend(tx: ReadTx, sendId: Id<'send'>): Promise<ConversationRow | undefined> {
  return tx.maybe(sql<ConversationRow>`
    select ${COLUMNS} from conversations where tenant_id = ${tx.tenantId} and send_id = ${sendId} and channel = 'sms'`)
}

/** All open SMS conversations of a person, on any number. */
export function lockOpenOfPerson(tx: TenantTx, addressHash: string): Promise<ConversationRow[]> {
  return tx.many(sql<ConversationRow>`
    select ${COLUMNS} from conversations
    where tenant_id = ${tx.tenantId} and number in (select n.number from inbound_numbers n where n.tenant_id = ${tx.tenantId})
      and address_hash = ${addressHash} and channel = 'sms' and ended_at is null
    order by id for update`)
}

export function lockOpenOfNumber(tx: TenantTx, number: string, limit: number): Promise<ConversationRow[]> {
  return tx.many(sql<ConversationRow>`
    select ${COLUMNS} from conversations where tenant_id = ${tx.tenantId} and number = ${number} and ended_at is null
    order by id limit ${limit} for update`)
}

/** Deletes the conversations in which the person never wrote. */
export function deleteUnanswered(tx: TenantTx, sendIds: Id<'send'>[]): Promise<number> {
  return tx.run(sql`
    delete from conversations
    where tenant_id = ${tx.tenantId} and send_id = any(${sendIds}::uuid[]) and send_id is not null and channel = 'sms'
      and response_id is null and ended_at is null and step = 0`)
}

/** The conversation that is due for longest, without those that a turn or another worker has locked. */
export function lockNextDue(tx: TenantTx, now: Date): Promise<ConversationRow | undefined> {
  return tx.maybe(sql<ConversationRow>`
    select ${COLUMNS} from conversations where tenant_id = ${tx.tenantId} and next_action_at <= ${now}
    order by next_action_at limit 1 for update skip locked`)
}

export interface NewTurn {
  id: string
  key: string
  conversationId: string | null
  strangerHash: string | null
  reply: string
  exchange: string | null
  now: Date
}

/** Fails if the same message was stored since. */
export function insertTurn(tx: TenantTx, turn: NewTurn): Statement {
  return {
    name: 'insert-conversation-turn',
    text: `
      insert into conversation_turns
        (tenant_id, id, key, conversation_id, stranger_hash, reply, exchange, received_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [
      tx.tenantId,
      turn.id,
      turn.key,
      turn.conversationId,
      turn.strangerHash,
      turn.reply,
      turn.exchange,
      turn.now,
    ],
  }
}

export async function findTurn(tx: ReadTx, key: string): Promise<{ id: string; reply: string } | undefined> {
  const rows = await tx.prepared<{ id: string; reply: string }>({
    name: 'find-conversation-turn',
    text: 'select id, reply from conversation_turns where tenant_id = $1 and key = $2',
    values: [tx.tenantId, key],
  })
  return rows[0]
}

/** No response keeps the conversation. */
export const UNKEPT = sql`response_id is null`
/** Turns that belong to no conversation. */
export const OF_NONE = sql`conversation_id is null`

export interface TranscriptRow {
  id: string
  exchange: string
  received_at: Date
}

/** The turns of a conversation that kept their words, in order. */
export function listExchanges(tx: ReadTx, conversationId: string): Promise<TranscriptRow[]> {
  return tx.many(sql<TranscriptRow>`
    select id, exchange, received_at from conversation_turns
    where tenant_id = ${tx.tenantId} and conversation_id = ${conversationId} and conversation_id is not null
      and exchange is not null
    order by id`)
}

/** The conversation that gave a response. */
export function findOfResponse(tx: ReadTx, responseId: Id<'response'>): Promise<ConversationRow | undefined> {
  return tx.maybe(sql<ConversationRow>`
    select ${COLUMNS} from conversations
    where tenant_id = ${tx.tenantId} and response_id = ${responseId} and response_id is not null
    order by id desc limit 1`)
}

/** Forgets the words of conversations whose responses are gone. */
export function forgetExchanges(tx: TenantTx, responseIds: Id<'response'>[]): Promise<number> {
  return tx.run(sql`
    update conversation_turns set exchange = null
    where tenant_id = ${tx.tenantId} and conversation_id = any(array(
      select id from conversations
      where tenant_id = ${tx.tenantId} and response_id = any(${responseIds}::uuid[]) and response_id is not null))
      and exchange is not null`)
}

/** Detaches ended conversations from deleted responses, so that retention removes them. */
export function releaseEnded(tx: TenantTx, responseIds: Id<'response'>[]): Promise<number> {
  return tx.run(sql`
    update conversations set response_id = null, opening = null
    where tenant_id = ${tx.tenantId} and response_id = any(${responseIds}::uuid[]) and response_id is not null
      and ended_at is not null`)
}

export function deleteTurnsOf(tx: TenantTx, ids: string[]): Promise<number> {
  return tx.run(sql`
    delete from conversation_turns
    where tenant_id = ${tx.tenantId} and conversation_id = any(${ids}::uuid[]) and conversation_id is not null`)
}

/** Removes the person from old conversations that belong to a response. @returns the ids. */
export async function fadeOld(tx: TenantTx, range: AgeRange): Promise<string[]> {
  const rows = await tx.many(sql<{ id: string }>`
    with old as materialized (
      select id from conversations
      where tenant_id = ${tx.tenantId} and id < ${range.below} and ${range.after ? sql`id > ${range.after}` : sql`true`}
        and address_hash > '' and response_id is not null and ended_at < ${range.before}
      order by id limit ${range.limit} for update skip locked),
    faded as (
      update conversations set address_hash = '', masked = '', opening = null
      where tenant_id = ${tx.tenantId} and id = any(array(select id from old)) returning id)
    select id from faded order by id`)
  return rows.map(({ id }) => id)
}

export function clearReplies(tx: TenantTx, ids: string[]): Promise<number> {
  return tx.run(sql`
    update conversation_turns set reply = ''
    where tenant_id = ${tx.tenantId} and conversation_id = any(${ids}::uuid[]) and conversation_id is not null`)
}

/** Whether a person without a conversation was told so since a time. */
export async function hasTurnSince(tx: ReadTx, strangerHash: string, since: Date): Promise<boolean> {
  const row = await tx.maybe(sql`
    select 1 from conversation_turns
    where tenant_id = ${tx.tenantId} and stranger_hash = ${strangerHash} and received_at >= ${since} limit 1`)
  return row !== undefined
}
