import { backlogOf, type BacklogRow } from '../../../platform/work/due-tenants.ts'
import type { Channel } from '../../../platform/ports/provider.ts'
import { dayOf, endOfDay } from '../../../platform/instant.ts'
import { type RawBuilder, type ReadTx, sql, type SystemTx, type TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import { readPage, type Sorted, type PageRequest } from '../../../platform/fields/sorting.ts'
import { sends, type NewSendColumn, type SendRow } from './send.entity.ts'
import { SEND_STATUSES, type SendStamp, type SendStatus } from './send-state.ts'
import type { ExportKey } from '../../../platform/export-source.ts'
import type { AgeRange } from '../../../platform/work/retention.ts'

const COLUMNS = sends.list()
const MOST_COUNTED = 10_000
const RANKS = sql.raw(`array[${SEND_STATUSES.map((status) => `'${status}'`).join(', ')}]::text[]`)

export interface NewSend {
  id: Id<'send'>
  addressHash: string
  masked: string
  recipient: string
  language: string | null
  agentId: Id<'agent'> | null
  personId: Id<'person'> | null
  nextAttemptAt: Date
}

export interface NewSends {
  invitationId: Id<'invitation'>
  surveyId: Id<'survey'>
  channel: Channel
  now: Date
  /** For an anonymous survey. */
  byDay: boolean
  rows: NewSend[]
}

/** The first messages of an invitation, in one statement. */
export function insertSends(
  tx: TenantTx,
  { invitationId, surveyId, channel, now, byDay, rows }: NewSends,
): Promise<number> {
  const column = <Name extends keyof NewSend>(name: Name) => rows.map((row) => row[name])
  const cells = {
    id: sql`id`,
    invitation_id: sql`${invitationId}::uuid`,
    survey_id: sql`${surveyId}::uuid`,
    channel: sql`${channel}`,
    reminder: sql`0`,
    first_send_id: sql`id`,
    status: sql`'queued'`,
    address_hash: sql`address_hash`,
    masked: sql`masked`,
    recipient: sql`recipient`,
    language: sql`language`,
    agent_id: sql`agent_id`,
    person_id: sql`person_id`,
    next_attempt_at: sql`next_attempt_at`,
    attempts: sql`0`,
    created_at: sql`${byDay ? dayOf(now) : now}`,
    by_day: sql`${byDay}`,
  } satisfies Record<Exclude<NewSendColumn, 'reason' | 'ended_at'>, RawBuilder<unknown>>
  return tx.run(sql`
    insert into sends (tenant_id, ${sql.raw(Object.keys(cells).join(', '))})
    select ${tx.tenantId}::uuid, ${sql.join(Object.values(cells))}
    from unnest(${column('id')}::uuid[], ${column('addressHash')}::text[], ${column('masked')}::text[],
      ${column('recipient')}::text[], ${column('language')}::text[], ${column('agentId')}::uuid[],
      ${column('personId')}::uuid[], ${column('nextAttemptAt')}::timestamptz[])
      as given(id, address_hash, masked, recipient, language, agent_id, person_id, next_attempt_at)
    returning id`)
}

/** Messages to these people no longer lead to them. */
export function forgetPersonOfSends(tx: TenantTx, ids: string[]): Promise<number> {
  return tx.run(
    sql`update sends set person_id = null where tenant_id = ${tx.tenantId} and person_id = any(${ids}::uuid[])`,
  )
}

export function findSend(tx: ReadTx, id: Id<'send'>): Promise<SendRow | undefined> {
  return tx.maybe(sql<SendRow>`select ${COLUMNS} from sends where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function listByIds(tx: ReadTx, ids: string[]): Promise<SendRow[]> {
  return tx.many(sql<SendRow>`
    select ${COLUMNS} from sends where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) order by id`)
}

/** A send, and the response of its person, whichever message led to it. */
export interface InvitedRow extends Pick<
  SendRow,
  'id' | 'survey_id' | 'first_send_id' | 'channel' | 'agent_id' | 'person_id' | 'by_day'
> {
  response_id: Id<'response'> | null
  answered: boolean
}

export function findInvited(tx: ReadTx, id: Id<'send'>): Promise<InvitedRow | undefined> {
  const reminders = sql`from sends r where r.tenant_id = ${tx.tenantId} and r.first_send_id = s.first_send_id and r.reminder > 0`
  return tx.maybe(sql<InvitedRow>`
    select s.id, s.survey_id, s.first_send_id, s.channel, s.agent_id, s.person_id, s.by_day,
      coalesce(f.response_id, (select r.response_id ${reminders} and r.response_id is not null limit 1)) as response_id,
      f.completed_at is not null or exists (select ${reminders} and r.completed_at is not null) as answered
    from sends s left join lateral (
      select response_id, completed_at from sends where tenant_id = ${tx.tenantId} and id = s.first_send_id offset 0) f on true
    where s.tenant_id = ${tx.tenantId} and s.id = ${id}`)
}

/** Keeps the messages to one person from leading to two responses. */
export async function lockFirstSend(tx: TenantTx, id: Id<'send'>): Promise<void> {
  await tx.maybe(sql`select id from sends where tenant_id = ${tx.tenantId} and id = ${id} for update`)
}

/** Locked, so that reports about one send take turns. */
export function lockSend(tx: TenantTx, id: Id<'send'>): Promise<SendRow | undefined> {
  return tx.maybe(sql<SendRow>`select ${COLUMNS} from sends where tenant_id = ${tx.tenantId} and id = ${id} for update`)
}

/** A send by the id that its provider gave it, locked. */
export function lockByProvider(tx: TenantTx, providerId: string): Promise<SendRow | undefined> {
  return tx.maybe(
    sql<SendRow>`select ${COLUMNS} from sends
      where tenant_id = ${tx.tenantId} and provider_id = ${providerId} for update`,
  )
}

export function findSealedRecipient(tx: ReadTx, id: Id<'send'>): Promise<{ recipient: string | null } | undefined> {
  return tx.maybe(
    sql<{ recipient: string | null }>`select recipient from sends where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
}

/** The acts of a person, which an anonymous survey never reveals. */
const OF_PERSONS: SendStamp[] = ['opened', 'clicked', 'started', 'completed']

/** A send that has come further. */
export interface ChangedSend {
  id: Id<'send'>
  survey_id: Id<'survey'>
  invitation_id: Id<'invitation'>
  by_day: boolean
}

const CHANGED = sql.raw('id, survey_id, invitation_id, by_day')

/** The first report of a kind is kept, and the weightier status. */
export function stampSend(tx: TenantTx, id: Id<'send'>, stamp: SendStamp, at: Date): Promise<ChangedSend[]> {
  const column = sql.ref(`${stamp}_at`)
  return tx.many(sql<ChangedSend>`
    update sends set ${column} = coalesce(${column}, ${at}), status = ${heavier(stamp)}
    where tenant_id = ${tx.tenantId} and id = ${id} and ${OF_PERSONS.includes(stamp) ? sql`not by_day` : sql`true`}
    returning ${CHANGED}`)
}

/** The provider gave up on the message. A report that somebody got it outweighs that. */
export function giveUpSend(tx: TenantTx, id: Id<'send'>, reason: string): Promise<ChangedSend[]> {
  return tx.many(sql<ChangedSend>`
    update sends set status = 'failed', reason = ${reason}, next_attempt_at = null
    where tenant_id = ${tx.tenantId} and id = ${id} and status in ('queued', 'calling', 'accepted')
    returning ${CHANGED}`)
}

/** Which response a send led to; the first one stays. */
export function linkResponse(tx: TenantTx, id: Id<'send'>, responseId: Id<'response'>): Promise<number> {
  return tx.run(
    sql`update sends set response_id = ${responseId}
      where tenant_id = ${tx.tenantId} and id = ${id} and response_id is null`,
  )
}

/** A response that is gone leaves its send free for another. */
export function forgetResponse(tx: TenantTx, responseId: Id<'response'>): Promise<number> {
  return tx.run(
    sql`update sends set response_id = null where tenant_id = ${tx.tenantId} and response_id = ${responseId}`,
  )
}

/** The send that led to a response, if one did. */
export async function findByResponse(tx: ReadTx, responseId: Id<'response'>): Promise<Id<'send'> | undefined> {
  const rows = await tx.prepared<{ id: Id<'send'> }>({
    name: 'find-send-of-response',
    text: 'select id from sends where tenant_id = $1 and response_id = $2 limit 1',
    values: [tx.tenantId, responseId],
  })
  return rows[0]?.id
}

/** Null is an id that nobody can have. It finds nothing. */
export interface SendFilter {
  status?: SendStatus | undefined
  channel?: Channel | undefined
  surveyId?: Id<'survey'> | null | undefined
  invitationId?: Id<'invitation'> | null | undefined
}

/** Sends that pass a condition on the alias `s`, in the order of the page. */
export function listSends(
  tx: ReadTx,
  condition: RawBuilder<unknown>,
  page: PageRequest,
): Promise<Array<SendRow & Sorted>> {
  return readPage(page, sends.sorts, 's', 'all', ({ value, where, order, limit }) =>
    tx.many(sql<SendRow & Sorted>`
      select ${COLUMNS}, ${value} from sends s
      where s.tenant_id = ${tx.tenantId} and ${condition} and ${where} order by ${order} limit ${limit}`),
  )
}

/** How many of the newest are in each status. @param condition on the alias `s`. */
export function countListed(
  tx: ReadTx,
  condition: RawBuilder<unknown>,
): Promise<Array<{ status: SendStatus; n: number }>> {
  return tx.many(sql<{ status: SendStatus; n: number }>`
    select c.status, count(*)::integer as n from (
      select s.status from sends s where s.tenant_id = ${tx.tenantId} and ${condition}
      order by s.id desc limit ${MOST_COUNTED}) c
    group by c.status`)
}

/** The parameters of the list as a condition on the alias `s`. */
export function conditionOf({ status, channel, surveyId, invitationId }: SendFilter): RawBuilder<unknown> {
  const conditions = [
    status && sql`s.status = ${status}`,
    channel && sql`s.channel = ${channel}`,
    surveyId !== undefined && sql`s.survey_id = ${surveyId}`,
    invitationId !== undefined && sql`s.invitation_id = ${invitationId}`,
  ].flatMap((condition) => (condition ? [condition] : []))
  return sql.join([sql`true`, ...conditions], sql` and `)
}

export function countByStatus(
  tx: ReadTx,
  invitationIds: Id<'invitation'>[],
): Promise<Array<{ invitation_id: Id<'invitation'>; status: SendStatus; count: number }>> {
  return tx.many(sql<{ invitation_id: Id<'invitation'>; status: SendStatus; count: number }>`
    select invitation_id, status, count(*)::int as count from sends
    where tenant_id = ${tx.tenantId} and invitation_id = any(${invitationIds}::uuid[])
    group by invitation_id, status order by invitation_id, status`)
}

/** The latest messages to these people, newest first. */
export function listToAddresses(tx: ReadTx, hashes: string[], limit: number): Promise<SendRow[]> {
  return tx.many(sql<SendRow>`
    select ${COLUMNS} from sends where tenant_id = ${tx.tenantId} and address_hash = any(${hashes}::text[])
    order by id desc limit ${limit}`)
}

/** First messages and their reminders. */
export function listByFirst(tx: ReadTx, ids: Id<'send'>[]): Promise<SendRow[]> {
  return tx.many(sql<SendRow>`
    select ${COLUMNS} from sends where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])
    union all
    select ${COLUMNS} from sends
    where tenant_id = ${tx.tenantId} and first_send_id = any(${ids}::uuid[]) and reminder > 0`)
}

/** Takes back the sends that no provider was given yet. */
export async function cancelQueued(
  tx: TenantTx,
  invitationId: Id<'invitation'>,
  now: Date,
): Promise<Array<Id<'send'>>> {
  const rows = await tx.many(sql<{ id: Id<'send'> }>`
    update sends set status = 'cancelled', next_attempt_at = null, ended_at = ${now}
    where tenant_id = ${tx.tenantId} and invitation_id = ${invitationId} and status = 'queued' returning id`)
  return rows.map(({ id }) => id)
}

/**
 * How often each person was written to since a moment, or is about to be before another; reminders are not counted. An
 * invitation to an anonymous survey counts until its day leaves the span, so that no trial finds the moment.
 */
export function countContacts(
  tx: ReadTx,
  hashes: string[],
  since: Date,
  until: Date,
): Promise<Array<{ address_hash: string; count: number }>> {
  return tx.many(sql<{ address_hash: string; count: number }>`
    select address_hash, count(*)::int as count from sends
    where tenant_id = ${tx.tenantId} and address_hash = any(${hashes}::text[]) and reminder = 0
      and (${isSince('accepted_at', since)}
        or (${isSince('next_attempt_at', since)}
          and next_attempt_at < case when by_day then ${endOfDay(until)}::timestamptz else ${until}::timestamptz end))
    group by address_hash`)
}

/**
 * When a person was written to since a moment, or is about to be; the newest of what `countContacts` counts. Of an
 * anonymous survey, the end of the day.
 */
export async function listContactTimes(tx: ReadTx, hash: string, since: Date, limit: number): Promise<Date[]> {
  const rows = await tx.many(sql<{ at: Date; by_day: boolean }>`
    select coalesce(accepted_at, next_attempt_at) as at, by_day from sends
    where tenant_id = ${tx.tenantId} and address_hash = ${hash} and reminder = 0
      and (${isSince('accepted_at', since)} or ${isSince('next_attempt_at', since)})
    order by 1 desc limit ${limit}`)
  return rows.map(({ at, by_day: byDay }) => (byDay ? endOfDay(at) : at))
}

function isSince(column: 'accepted_at' | 'next_attempt_at', since: Date): RawBuilder<unknown> {
  return sql`${sql.ref(column)} >= case when by_day then ${dayOf(since)}::timestamptz else ${since}::timestamptz end`
}

/** The people to whom the same survey is about to go by the same channel. */
export async function listWaiting(
  tx: ReadTx,
  surveyId: Id<'survey'>,
  channel: Channel,
  hashes: string[],
): Promise<Set<string>> {
  const rows = await tx.many(sql<{ address_hash: string }>`
    select distinct address_hash from sends
    where tenant_id = ${tx.tenantId} and address_hash = any(${hashes}::text[]) and channel = ${channel}
      and survey_id = ${surveyId} and reminder = 0 and status in ('queued', 'calling')`)
  return new Set(rows.map((row) => row.address_hash))
}

/** Returns the first messages whose person has answered by now, through whichever message. */
export async function listAnswered(tx: ReadTx, firstIds: Id<'send'>[]): Promise<Set<Id<'send'>>> {
  const rows = await tx.many(sql<{ first_send_id: Id<'send'> }>`
    select s.first_send_id from sends s
    where s.tenant_id = ${tx.tenantId} and s.id = any(${firstIds}::uuid[]) and s.completed_at is not null
    union
    select r.first_send_id from sends r
    where r.tenant_id = ${tx.tenantId} and r.first_send_id = any(${firstIds}::uuid[]) and r.reminder > 0
      and r.completed_at is not null`)
  return new Set(rows.map((row) => row.first_send_id))
}

/** The channels and people of first messages and their reminders. */
export function listChains(
  tx: ReadTx,
  firstIds: Id<'send'>[],
): Promise<Array<Pick<SendRow, 'first_send_id' | 'channel' | 'address_hash'>>> {
  return tx.many(sql<Pick<SendRow, 'first_send_id' | 'channel' | 'address_hash'>>`
    select s.first_send_id, s.channel, s.address_hash from sends s
    where s.tenant_id = ${tx.tenantId} and s.id = any(${firstIds}::uuid[]) and s.address_hash <> ''
    union
    select r.first_send_id, r.channel, r.address_hash from sends r
    where r.tenant_id = ${tx.tenantId} and r.first_send_id = any(${firstIds}::uuid[]) and r.reminder > 0
      and r.address_hash <> ''`)
}

export function listBacklog(tx: SystemTx): Promise<BacklogRow[]> {
  return tx.many(backlogOf('sends', sql`next_attempt_at is not null`, sql`next_attempt_at`))
}

export async function hasSends(tx: ReadTx, surveyId: Id<'survey'>): Promise<boolean> {
  const row = await tx.maybe(sql`
    select 1 from sends where tenant_id = ${tx.tenantId} and survey_id = ${surveyId} limit 1`)
  return row !== undefined
}

/** The invitations that have a send left. */
export async function listWithSends(tx: ReadTx, invitationIds: Id<'invitation'>[]): Promise<Set<Id<'invitation'>>> {
  const rows = await tx.many(sql<{ id: Id<'invitation'> }>`
    select given.id from unnest(${invitationIds}::uuid[]) as given(id)
    where exists (select from sends s where s.tenant_id = ${tx.tenantId} and s.invitation_id = given.id)`)
  return new Set(rows.map((row) => row.id))
}

function heavier(status: SendStatus) {
  return sql`case when array_position(${RANKS}, status) < array_position(${RANKS}, ${status}::text)
      then ${status}::text else status end`
}

/** @param condition a filter on the alias `s`. */
export function selectKeys(tx: ReadTx, condition: RawBuilder<unknown>): RawBuilder<ExportKey> {
  return sql<ExportKey>`
    select s.id, null::text as member from sends s where s.tenant_id = ${tx.tenantId} and ${condition}`
}

export interface OldSend {
  id: string
  provider_id: string | null
}

/** Deletes sends that were settled before a moment, those of an unfinished chain aside; in the order of their ids. */
export function deleteSends(tx: TenantTx, range: AgeRange): Promise<OldSend[]> {
  return tx.many(sql<OldSend>`
    with old as materialized (
      select id from sends
      where tenant_id = ${tx.tenantId} and id < ${range.below} and ${range.after ? sql`id > ${range.after}` : sql`true`}
        and created_at < ${range.before} and status not in ('queued', 'calling')
      order by id limit ${range.limit} for update skip locked),
    deleted as (
      delete from sends where tenant_id = ${tx.tenantId} and id = any(array(select id from old))
      returning id, provider_id)
    select id, provider_id from deleted order by id`)
}
