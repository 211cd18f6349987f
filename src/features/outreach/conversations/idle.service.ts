import { dueBy, listDueTenants, untilNoneIsDueInSlots } from '../../../platform/work/due-tenants.ts'
import type { TenantTx } from '../../../platform/database/database.ts'
import type { SmsMessage } from '../../../platform/ports/phone-port.ts'
import { ProviderError } from '../../../platform/ports/provider.ts'
import { newUuidAt } from '../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import type { SweepOptions } from '../../../platform/work/sweeps.ts'
import { Problem } from '../../../http/problems/problem.ts'
import { LONGEST_SMS } from '../../../survey-engine/model/limits.ts'
import { fit } from '../../../survey-engine/talk/prompts.ts'
import { findInboundNumber } from '../inbound-numbers/inbound-numbers.service.ts'
import { createTiming, timingRules } from '../quiet-hours/quiet-hours.ts'
import { isSuppressed, suppress } from '../suppression/suppression.service.ts'
import { readOpening } from '../../surveys/surveys/published-surveys.service.ts'
import { maySend, readWorkspace } from '../../access/workspaces/workspaces.service.ts'
import { messagesFor } from '../../../survey-engine/language/messages.ts'
import { EXPIRE_AFTER_MS, nextActionAt, openConfidential } from './conversation-row.ts'
import * as store from './conversations.store.ts'
import { endConversationsOfPerson, endUnfinished } from './endings.service.ts'
import { masked } from '../../trust/addresses/masked.ts'
import { sealExchange } from './exchange.ts'
import { loadConversation, questionAgain } from './talk.service.ts'
import { sealReply } from './turns.service.ts'

// Small, so that many conversations of one workspace do not delay another.
const BATCH = 10
// A provider may take seconds for each.
const WORKSPACES = 8

interface Reminder {
  row: store.ConversationRow
  message: SmsMessage
}

/**
 * Reminds of silent conversations once, and ends those that stay silent. The reminder is recorded before the provider
 * is called, because a lost reminder is better than a second one.
 * @returns the number of conversations.
 */
export function tendIdle(
  system: SystemScope,
  { limit, signal, renew }: Pick<SweepOptions, 'limit' | 'signal' | 'renew'>,
): Promise<number> {
  return untilNoneIsDueInSlots(
    { signal, renew },
    { all: WORKSPACES, each: 1 },
    (after) => listDueTenants(system, dueBy('conversations', 'next_action_at', system.clock.now()), after),
    (tenantId) => tendBatch(system.tenant(tenantId, { type: 'system' }), signal),
    (tended) => tended >= limit,
  )
}

async function tendBatch(scope: Scope, signal: AbortSignal): Promise<number> {
  let tended = 0
  for (; tended < BATCH && !signal.aborted; tended += 1) {
    // One at a time, because the provider may take seconds: a person who objects by then gets no reminder.
    const next = await scope.tx(async (tx) => {
      const row = await store.lockNextDue(tx, scope.clock.now())
      return row && { reminder: await tend(scope, tx, row) }
    })
    if (!next) break
    if (next.reminder) await remind(scope, next.reminder)
  }
  return tended
}

async function tend(scope: Scope, tx: TenantTx, row: store.ConversationRow): Promise<Reminder | null> {
  const now = scope.clock.now()
  const due = row.response_id === null ? now : nextActionAt(row, row.updated_at)
  if (due > now) {
    await tx.prepared(store.updateConversation(tx, { ...row, next_action_at: due }))
    return null
  }
  const { address } = openConfidential(scope.secrets, row.id, row.sealed)
  const begun = row.response_id !== null
  const number = await findInboundNumber(tx, row.number)
  const isOver = row.channel === 'voice' || row.reminded_at !== null || !begun
  if (isOver || address === null || !number || !(await maySend(scope, tx))) {
    await endUnfinished(scope, tx, row, row.channel === 'voice' ? 'hung_up' : 'expired')
    return null
  }
  if (await isSuppressed(tx, 'sms', row.address_hash)) {
    await endUnfinished(scope, tx, row, 'stopped')
    return null
  }
  const workspace = await readWorkspace(tx)
  const timing = timingRules(workspace, number)
  const expires = new Date(due.getTime() + EXPIRE_AFTER_MS)
  if (expires <= now) {
    await endUnfinished(scope, tx, row, 'expired')
    return null
  }
  const awake = createTiming(timing, now)('sms', address, null) ?? expires
  if (awake > now) {
    await tx.prepared(store.updateConversation(tx, { ...row, next_action_at: awake < expires ? awake : expires }))
    return null
  }
  const reminder = await reminderOf(scope, tx, row, timing.timezone)
  if (reminder === null) {
    await endUnfinished(scope, tx, row, 'survey_closed')
    return null
  }
  const body = fit(reminder.text, LONGEST_SMS)
  await tx.prepared(
    store.updateConversation(tx, {
      ...row,
      reminded_at: now,
      updated_at: now,
      next_action_at: nextActionAt({ ...row, reminded_at: now }, now),
    }),
  )
  if (reminder.isKept) await tx.prepared(store.insertTurn(tx, reminderTurn(scope, row, body)))
  return { row, message: { from: row.number, to: address, body } }
}

async function reminderOf(
  scope: Scope,
  tx: TenantTx,
  row: store.ConversationRow,
  zone: string,
): Promise<{ text: string; isKept: boolean } | null> {
  try {
    await readOpening(scope, tx, row.survey_id)
    const loaded = await loadConversation({ scope, tx, full: null, refusal: null }, row, zone)
    if (loaded.kind === 'over') return null
    const { definition } = loaded.setting
    const text = `${messagesFor(row.language, definition)('remind')}\n\n${questionAgain(loaded)}`
    return { text, isKept: definition.privacy !== 'anonymous' }
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}

/** The reminder among the turns of its conversation. There is one. */
function reminderTurn(scope: Scope, row: store.ConversationRow, text: string): store.NewTurn {
  const now = scope.clock.now()
  const id = newUuidAt(now)
  const exchange = { heard: null, said: { kind: 'reminder' as const, text: masked(text), question_id: row.asked } }
  return {
    id,
    key: `reminder:${row.id}`,
    conversationId: row.id,
    strangerHash: null,
    reply: sealReply(scope.secrets, id, ''),
    exchange: sealExchange(scope.secrets, id, exchange),
    now,
  }
}

async function remind(scope: Scope, { row, message }: Reminder): Promise<void> {
  try {
    await scope.ports.sms.send(message)
  } catch (error) {
    const refused = error instanceof ProviderError ? error : null
    scope.log.warn(
      { conversationId: row.id, error: refused?.code ?? 'unreachable' },
      'a reminder of a conversation was not sent',
    )
    if (refused?.verdict !== 'opted_out') return
    await scope.tx(async (tx) => {
      await suppress(scope, tx, {
        channel: 'sms',
        hash: row.address_hash,
        masked: row.masked,
        reason: 'stop_keyword',
        source: 'sms',
      })
      await endConversationsOfPerson(scope, tx, row.address_hash, 'stopped')
    })
  }
}
