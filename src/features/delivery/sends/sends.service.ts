import type { z } from 'zod'
import { presentPage, type Page, type PageRequest } from '../../../http/routes/pagination.ts'
import type { ReadTx, TenantTx } from '../../../platform/database/database.ts'
import { countIfAsked, countsOf } from '../../../platform/fields/counting.ts'
import { compileBeside, compileFilter } from '../../../platform/filter/compile.ts'
import { dayOf } from '../../../platform/instant.ts'
import { formatId, parseId, type Id } from '../../../platform/ids.ts'
import { permissionsToFilter } from '../../../platform/readers.ts'
import type { Scope } from '../../../platform/scope.ts'
import { listenTo, type Listener } from '../../../platform/work/listeners.ts'
import { requireHeld } from '../../access/roles/permission-rules.ts'
import { PROMISE_CHANGES } from '../../surveys/surveys/published-surveys.service.ts'
import { readAddressHash } from '../../trust/addresses/addresses.service.ts'
import * as deliveries from './deliveries.store.ts'
import { openRecipient, type Recipient } from './send-secrets.ts'
import { sends, type SendRow } from './send.entity.ts'
import { SEND_STATUSES, type SendStamp } from './send-state.ts'
import type { Send, SendList, SendQuery, SurveyDelivery, SurveyDeliveryQuery } from './sends.schema.ts'
import * as store from './sends.store.ts'
import { selectKeys } from './sends.store.ts'
import { recordChanged } from '../../../platform/changes/changes.ts'
import { linesOf, type ExportSource } from '../../../platform/export-source.ts'

/** Their opens and clicks have been stored under the promise of their survey. */
export const onPromiseChanges: Listener = listenTo(PROMISE_CHANGES, async (_scope, tx) => ({
  async handle(change) {
    change.hasAsked ||= await store.hasSends(tx, change.surveyId)
  },
}))

// Other features run these statements as they are.
export { findByResponse as findSendOfResponse } from './sends.store.ts'

export type { NewSend } from './sends.store.ts'
export {
  cancelQueued,
  countByStatus,
  countContacts,
  listContactTimes,
  findInvited,
  findSend,
  forgetResponse,
  forgetPersonOfSends,
  insertSends,
  listAnswered,
  listBacklog,
  listChains,
  listWaiting,
  listWithSends,
  lockFirstSend,
} from './sends.store.ts'

/**
 * Records a report about a send: the first report of a kind is kept and the weightier status, so that order and repeats
 * do not matter.
 */
export async function stampSend(scope: Scope, tx: TenantTx, id: Id<'send'>, stamp: SendStamp, at: Date): Promise<void> {
  noteProgress(scope, tx, await store.stampSend(tx, id, stamp, at))
}

/** Records that the provider gave up on a message that it had taken, or did not try. */
export async function giveUpSend(scope: Scope, tx: TenantTx, id: Id<'send'>, reason: string): Promise<void> {
  noteProgress(scope, tx, await store.giveUpSend(tx, id, reason))
}

/**
 * Records how far a response has come: the send that led to it is `started`, and `completed` once it is finished.
 */
export async function stampAnswered(
  scope: Scope,
  tx: TenantTx,
  sendId: Id<'send'>,
  response: { id: Id<'response'>; started_at: Date; completed_at: Date | null },
): Promise<void> {
  await store.linkResponse(tx, sendId, response.id)
  await stampSend(scope, tx, sendId, 'started', response.started_at)
  if (response.completed_at) await stampSend(scope, tx, sendId, 'completed', response.completed_at)
}

/** Streams name messages that have come further, but none of an anonymous survey. */
export function noteProgress(scope: Scope, tx: TenantTx, changed: store.ChangedSend[]): void {
  for (const { id, survey_id, invitation_id, by_day } of changed) {
    if (!by_day) recordChanged(scope, tx, 'sends', 'updated', 'send', [id], survey_id)
    recordChanged(scope, tx, 'invitations', 'updated', 'invitation', [invitation_id], survey_id)
  }
}

/** The person that a send goes to; null once the person was erased. */
export async function readRecipient(scope: Scope, tx: ReadTx, id: Id<'send'>): Promise<Recipient | null> {
  const row = await store.findSealedRecipient(tx, id)
  return row?.recipient ? openRecipient(scope.secrets, id, row.recipient) : null
}

const LATEST = 500

/** The latest 500 messages to these people and their later ones on other channels, newest first. */
export async function listSendsToAddresses(tx: ReadTx, hashes: string[]): Promise<SendRow[]> {
  const found = await store.listToAddresses(tx, hashes, LATEST)
  const others = await store.listByFirst(tx, [...new Set(found.map((send) => send.first_send_id))])
  const all = new Map([...found, ...others].map((send) => [send.id, send]))
  return [...all.values()].map(withDays).toSorted((a, b) => (a.id < b.id ? 1 : -1))
}

/** An id of another workspace finds nothing. @throws Problem 403 for a filter by what is masked for the caller. */
export async function listSends(
  scope: Scope,
  query: z.output<typeof SendQuery>,
  page: PageRequest,
): Promise<z.input<typeof SendList>> {
  const { status, channel, survey_id, invitation_id, filter } = query
  const others: store.SendFilter = {
    channel,
    surveyId: survey_id === undefined ? undefined : parseId('survey', survey_id),
    invitationId: invitation_id === undefined ? undefined : parseId('invitation', invitation_id),
  }
  requireHeld(scope.principal, permissionsToFilter('sends', filter))
  const matching = async (tx: ReadTx, chosen: store.SendFilter) => {
    const context = { tx, alias: 's', now: scope.clock.now(), hashAddress: await readAddressHash(scope, tx) }
    return compileBeside(store.conditionOf(chosen), 'sends', filter, context)
  }
  const { rows, counted } = await scope.read(async (tx) => ({
    rows: await store.listSends(tx, await matching(tx, { ...others, status }), page),
    counted: await store.countListed(tx, await matching(tx, others)),
  }))
  return {
    ...presentPage(rows, page, presentSend),
    counts: countsOf(SEND_STATUSES, counted),
    ...(await countIfAsked(scope, query, {
      table: 'sends',
      alias: 's',
      matching: (tx) => matching(tx, { ...others, status }),
      all: () => store.conditionOf({}),
    })),
  }
}

export async function listSurveyDeliveries(
  scope: Scope,
  query: z.output<typeof SurveyDeliveryQuery>,
  page: PageRequest,
): Promise<Page<z.input<typeof SurveyDelivery>>> {
  const surveyId = query.survey_id === undefined ? undefined : parseId('survey', query.survey_id)
  if (surveyId === null) return { data: [], next_cursor: null }
  const rows = await scope.read((tx) => deliveries.listSurveyDeliveries(tx, { surveyId, channel: query.channel }, page))
  return presentPage(rows, page, (row) => ({
    id: formatId('surveyDelivery', row.id),
    survey_id: formatId('survey', row.survey_id),
    channel: row.channel,
    accepted_at: row.accepted_at.toISOString(),
  }))
}

/** A send with the moments that people may read. */
export function withDays(row: SendRow): SendRow {
  if (!row.by_day) return row
  const day = (at: Date | null) => at && dayOf(at)
  return {
    ...row,
    created_at: dayOf(row.created_at),
    next_attempt_at: day(row.next_attempt_at),
    accepted_at: day(row.accepted_at),
    delivered_at: day(row.delivered_at),
    bounced_at: day(row.bounced_at),
    complained_at: day(row.complained_at),
  }
}

/** A send as the API shows it. */
export function presentSend(send: SendRow): z.input<typeof Send> {
  const row = withDays(send)
  return sends.show(row, {
    recipient: row.masked,
    send_at: row.status === 'queued' ? (row.next_attempt_at?.toISOString() ?? null) : null,
  })
}

/** Sends as exports read them. Addresses are masked. */
export const exportedSends: ExportSource = {
  columns: () => sends.exported,
  select: async (_scope, tx, { filter, snapshotAt }) =>
    selectKeys(tx, await compileFilter('sends', filter ?? { all: [] }, { tx, alias: 's', now: snapshotAt })),
  async read(_scope, tx, keys, _spec, fields) {
    const rows = await store.listByIds(
      tx,
      keys.map(({ id }) => id),
    )
    return { rows: linesOf(rows.map(presentSend), fields), done: keys.length }
  },
}
