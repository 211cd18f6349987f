import { formatId, type Id } from '../../../platform/ids.ts'
import { SILENCE, type CallCallback } from '../../../platform/ports/phone-port.ts'
import { notFound } from '../../../http/problems/problem.ts'
import type { Scope } from '../../../platform/scope.ts'
import { readYesNo } from '../../../survey-engine/language/reply-words.ts'
import { maskAddress, parseAddress } from '../../trust/addresses/address.ts'
import { ensureAddressHash } from '../../trust/addresses/addresses.service.ts'
import { findInboundNumber } from '../inbound-numbers/inbound-numbers.service.ts'
import { findSend, readRecipient } from '../../delivery/sends/sends.service.ts'
import { suppress } from '../suppression/suppression.service.ts'
import { readWorkspace } from '../../access/workspaces/workspaces.service.ts'
import { refusesCalls } from '../inbound-numbers/commands.ts'
import { messagesFor } from '../../../survey-engine/language/messages.ts'
import { openConfidential, sealConfidential } from './conversation-row.ts'
import * as store from './conversations.store.ts'
import { endUnfinished } from './endings.service.ts'
import { exchangeOf, type Heard } from './exchange.ts'
import { openConversation } from './opening.service.ts'
import {
  closeOver,
  loadConversation,
  questionAgain,
  readReply,
  refusalText,
  storeTurn,
  type Loaded,
  type Progress,
} from './talk.service.ts'
import { takeOnce, type TurnResult, type TurnWork } from './turns.service.ts'

/** Below this confidence, the call reads the reply back and asks for confirmation. */
const LEAST_CONFIDENCE = 0.5
const MOST_SILENCES = 3
const MOST_TRIES = 3

/** One request of a call. */
export type CallTurn = CallCallback & {
  kind: 'turn'
  surveyId: Id<'survey'>
  sendId: Id<'send'> | null
  /** 0 at the start of the call. Later the step that the last answer put into its action. */
  step: number
  /** Added to the addresses of the next turns. */
  query: string
}

/** A turn with the conversation before it. Null: the turn begins it. */
type TurnAfter = CallTurn & { before: store.ConversationRow | null }

/** Takes one turn of a call. The same call and step get the same answer again. */
export function takeCall(scope: Scope, turn: CallTurn): Promise<string> {
  return takeOnce(scope, `${turn.callId}:${turn.step}`, {
    person: turn.callId,
    read: ({ tx }) => store.lockCall(tx, turn.callId),
    async take(work, row) {
      if (!row) return begin(work, { ...turn, before: null })
      if (row.ended_at) return { reply: SILENCE, conversationId: row.id }
      return answer(work, { ...turn, before: row }, row)
    },
  })
}

/** Ends a call after the person or the provider has hung up. */
export async function endCall(scope: Scope, callId: string): Promise<void> {
  await scope.tx(async (tx) => {
    const row = await store.lockCall(tx, callId)
    if (row && !row.ended_at) await endUnfinished(scope, tx, row, 'hung_up')
  })
}

async function begin(work: TurnWork, turn: TurnAfter): Promise<TurnResult> {
  const { scope, tx } = work
  const send = turn.sendId === null ? undefined : await findSend(tx, turn.sendId)
  if (turn.sendId !== null && send?.survey_id !== turn.surveyId) throw notFound('send')
  const number = parseAddress('voice', turn.number) ?? turn.number
  const ours = await findInboundNumber(tx, number)
  const recipient = turn.sendId === null ? null : await readRecipient(scope, tx, turn.sendId)
  const language = send?.language ?? ours?.language ?? 'en'
  if (work.refusal)
    return { reply: { kind: 'goodbye', say: refusalText(work.refusal, language), language }, conversationId: null }
  const address = parseAddress('voice', turn.caller)
  // A caller who hides the number is identified by the call.
  const addressHash = (await ensureAddressHash(scope, tx))('voice', address ?? turn.callId)
  const workspace = await readWorkspace(tx)
  const opened = await openConversation(work, {
    channel: 'voice',
    number,
    address,
    addressHash,
    masked: address === null ? '' : maskAddress('voice', address),
    surveyId: turn.surveyId,
    languages: [send?.language, ours?.language],
    timezone: ours?.timezone ?? workspace.timezone,
    sendId: turn.sendId,
    callId: turn.callId,
    name: recipient?.name ?? '',
    customData: recipient?.customData ?? {},
    begun: turn.sendId === null,
  })
  const { own } = opened
  const names = { workspace: workspace.name, name: recipient?.name ?? '' }
  const greeting = send
    ? `${own(names.name === '' ? 'call_greeting' : 'call_greeting_name', names)} ${own('call_star')}`
    : own('call_welcome', names)
  return spoken(turn, opened, greeting)
}

async function answer(work: TurnWork, turn: TurnAfter, row: store.ConversationRow): Promise<TurnResult> {
  const heard = turn.digits || turn.speech.trim()
  if (heard !== '' && refusesCalls(heard, row.send_id !== null)) return refuse(work, row)
  const loaded = await loadConversation(work, row, 'UTC')
  if (loaded.kind === 'over') return spoken(turn, await closeOver(work, row, loaded))
  // The step is wrong: nothing is stored, and the question is asked again.
  if (turn.step !== row.step) return spoken(turn, { row, say: questionAgain(loaded), isKept: isKept(loaded) })
  if (heard === '') return silent(work, turn, loaded)

  const { pending } = openConfidential(work.scope.secrets, row.id, row.sealed)
  if (pending !== null) return confirmed(work, turn, loaded, { pending, heard })
  const reply = readReply(loaded, heard)
  const understood = reply.ended !== 'invalid' && reply.talk.tries <= row.tries
  const doubtful = turn.digits === '' && turn.confidence !== null && turn.confidence < LEAST_CONFIDENCE
  if (understood && doubtful && !loaded.isNewVersion) return confirm(work, turn, loaded, heard)
  return spoken(turn, await storeTurn(work, loaded, reply))
}

async function refuse({ scope, tx }: TurnWork, row: store.ConversationRow): Promise<TurnResult> {
  await suppress(scope, tx, {
    channel: 'voice',
    hash: row.address_hash,
    masked: row.masked,
    reason: 'stop_keyword',
    source: 'voice',
  })
  await endUnfinished(scope, tx, row, 'stopped')
  return {
    reply: { kind: 'goodbye', say: messagesFor(row.language)('call_no_more'), language: row.language },
    conversationId: row.id,
  }
}

type Ready = Loaded & { kind: 'ready' }

async function silent(work: TurnWork, turn: TurnAfter, loaded: Ready): Promise<TurnResult> {
  const { row } = loaded
  const own = messagesFor(row.language, loaded.setting.definition)
  const silences = row.silences + 1
  if (silences >= MOST_SILENCES)
    return spoken(turn, {
      row: await endUnfinished(work.scope, work.tx, { ...row, silences }, 'silent'),
      say: own('call_silent'),
      isKept: isKept(loaded),
    })
  const { pending } = openConfidential(work.scope.secrets, row.id, row.sealed)
  const say = `${own('call_not_heard')} ${pending === null ? questionAgain(loaded) : own('call_confirm', { heard: pending })}`
  return spoken(turn, move(work, loaded, { ...row, silences }, say))
}

function confirm(work: TurnWork, turn: TurnAfter, loaded: Ready, heard: string): TurnResult {
  const { row, setting } = loaded
  const say = messagesFor(row.language, setting.definition)('call_confirm', { heard })
  return spoken(turn, move(work, loaded, withPending(work, { ...row, silences: 0 }, heard), say))
}

async function confirmed(
  work: TurnWork,
  turn: TurnAfter,
  loaded: Ready,
  { pending, heard }: { pending: string; heard: string },
): Promise<TurnResult> {
  const row = withPending(work, { ...loaded.row, silences: 0 }, null)
  if (readYesNo(heard, row.language, true) === true)
    return spoken(turn, await storeTurn(work, { ...loaded, row }, readReply({ ...loaded, row }, pending)))
  const tries = row.tries + 1
  if (tries >= MOST_TRIES)
    return spoken(turn, {
      row: await endUnfinished(work.scope, work.tx, { ...row, tries }, 'invalid'),
      say: messagesFor(row.language, loaded.setting.definition)('call_goodbye'),
      isKept: isKept(loaded),
    })
  return spoken(turn, move(work, loaded, { ...row, tries }, questionAgain(loaded)))
}

function withPending({ scope }: TurnWork, row: store.ConversationRow, pending: string | null): store.ConversationRow {
  const confidential = openConfidential(scope.secrets, row.id, row.sealed)
  return { ...row, sealed: sealConfidential(scope.secrets, row.id, { ...confidential, pending }) }
}

function move({ scope, tx }: TurnWork, loaded: Ready, row: store.ConversationRow, say: string): Progress {
  const moved = { ...row, step: row.step + 1, updated_at: scope.clock.now() }
  tx.atCommit(store.updateConversation(tx, moved))
  return { row: moved, say, isKept: isKept(loaded) }
}

function isKept({ setting }: Ready): boolean {
  return setting.definition.privacy !== 'anonymous'
}

function spoken(turn: TurnAfter, { row, say: words, isKept: keeps }: Progress, greeting = ''): TurnResult {
  const { language } = row
  const say = [greeting, words].filter((part) => part !== '').join(' ')
  const kept = { conversationId: row.id, ...(keeps && { exchange: exchangeOf(turn.before, row, heardIn(turn), say) }) }
  if (row.ended_at) return { reply: { kind: 'goodbye', say, language }, ...kept }
  const action = `/public/twilio/voice/${formatId('survey', row.survey_id)}?step=${row.step}${turn.query}`
  return { reply: { kind: 'ask', say, language, action }, ...kept }
}

function heardIn({ digits, speech, confidence }: CallTurn): Heard | null {
  if (digits !== '') return { text: digits, confidence: null }
  const text = speech.trim()
  return text === '' ? null : { text, confidence }
}
