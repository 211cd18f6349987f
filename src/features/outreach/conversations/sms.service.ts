import type { Id } from '../../../platform/ids.ts'
import type { Problem } from '../../../http/problems/problem.ts'
import { SILENCE, type PhoneReply, type SmsCallback } from '../../../platform/ports/phone-port.ts'
import type { Scope } from '../../../platform/scope.ts'
import { maskAddress, parseAddress } from '../../trust/addresses/address.ts'
import { ensureAddressHash } from '../../trust/addresses/addresses.service.ts'
import { findInboundNumber } from '../inbound-numbers/inbound-numbers.service.ts'
import { surveyOfKeyword, type InboundNumberRow } from '../inbound-numbers/number-choice.ts'
import { lockFoundResponse } from '../../answers/responses/recording.service.ts'
import type { ResponseRow } from '../../answers/responses/responses.service.ts'
import { isSuppressed, liftByRecipient, suppress } from '../suppression/suppression.service.ts'
import { prepareOpening } from '../../surveys/surveys/published-surveys.service.ts'
import { readWorkspace } from '../../access/workspaces/workspaces.service.ts'
import { isAutomatic } from './automatic.ts'
import { commandIn, isCourtesy, type Command } from '../inbound-numbers/commands.ts'
import { messagesFor } from '../../../survey-engine/language/messages.ts'
import { LATE_MS, STRANGER_MS } from './conversation-row.ts'
import * as store from './conversations.store.ts'
import { openConversation } from './opening.service.ts'
import { endConversationsOfPerson } from './endings.service.ts'
import { exchangeOf } from './exchange.ts'
import { closeOver, loadConversation, readReply, refusalText, storeTurn, type Progress } from './talk.service.ts'
import { takeOnce, type TurnResult, type TurnWork } from './turns.service.ts'
import { hasTurnSince } from './conversations.store.ts'

const DAY_MS = 86_400_000

/** A message from a person. `to` is a number in E.164. */
export type InboundSms = SmsCallback & { kind: 'message' }

/** The workspace does not have this number any more. */
export class NumberGoneError extends Error {
  constructor() {
    super('the number belongs to another workspace, or to none')
    this.name = 'NumberGoneError'
  }
}

/**
 * Takes a message: first STOP and other commands, then the open conversation, then a keyword or the number's default
 * survey, which begins no sooner than a day after the last conversation (docs/specification.md, "Conversations").
 * Returns the answer; a repeat gets the same.
 * @throws NumberGoneError, and stores nothing.
 */
export function takeMessage(scope: Scope, sms: InboundSms): Promise<string> {
  return takeOnce(scope, sms.id, {
    person: sms.from,
    read: (work) => findPerson(work, sms),
    async take(work, person) {
      // A short code or a name is not a person, so it gets no answer.
      if (person === null) return { reply: SILENCE, conversationId: null }
      const command = commandOf(sms)
      if (command === 'stop') return stop(work, person)
      if (person.isSuppressed && (command === 'start' || command === 'yes')) return start(work, person)
      if (command === 'help') return help(work, person)
      if (person.isSuppressed || isAutomatic(sms.body)) return { reply: SILENCE, conversationId: null }
      return answer(work, person, sms.body)
    },
  })
}

async function findPerson({ scope, tx }: Pick<TurnWork, 'scope' | 'tx'>, sms: InboundSms): Promise<Person | null> {
  const address = parseAddress('sms', sms.from)
  if (address === null) return null
  const hash = (await ensureAddressHash(scope, tx))('sms', address)
  // Everything for a turn in one round trip. The conversation is locked before its response.
  const [open, response, number, suppressed] = await Promise.all([
    store.lockOpen(tx, sms.to, hash),
    lockFoundResponse(tx, store.responseOfOpen(sms.to, hash)),
    findInboundNumber(tx, sms.to),
    isSuppressed(tx, 'sms', hash),
    prepareOpening(tx, store.surveyOfOpen(sms.to, hash)),
  ])
  if (!number) throw new NumberGoneError()
  return {
    number,
    address,
    hash,
    masked: maskAddress('sms', address),
    isSuppressed: suppressed,
    open,
    body: sms.body,
    response,
  }
}

interface Person {
  number: InboundNumberRow
  address: string
  hash: string
  masked: string
  isSuppressed: boolean
  /** Locked, so that its turns run one after another. */
  open: store.ConversationRow | undefined
  /** The message. */
  body: string
  response: ResponseRow | undefined
}

function commandOf({ body, command }: InboundSms): Command | null {
  return command ?? commandIn(body)
}

async function stop({ scope, tx }: TurnWork, { hash, masked }: Person): Promise<TurnResult> {
  await suppress(scope, tx, { channel: 'sms', hash, masked, reason: 'stop_keyword', source: 'sms' })
  await endConversationsOfPerson(scope, tx, hash, 'stopped')
  return { reply: SILENCE, conversationId: null }
}

async function start({ scope, tx }: TurnWork, { hash, number }: Person): Promise<TurnResult> {
  const lifted = await liftByRecipient(scope, tx, { channel: 'sms', hash, source: 'sms' })
  const { name } = await readWorkspace(tx)
  return {
    reply: lifted ? message(messagesFor(number.language ?? 'en')('resubscribed', { workspace: name })) : SILENCE,
    conversationId: null,
  }
}

async function help({ tx }: TurnWork, { number, open }: Person): Promise<TurnResult> {
  const language = open?.language ?? number.language ?? 'en'
  const { name } = await readWorkspace(tx)
  return { reply: message(messagesFor(language)('help', { workspace: name })), conversationId: null }
}

async function answer(work: TurnWork, person: Person, body: string): Promise<TurnResult> {
  const { tx } = work
  if (person.open) return goOn(work, person.open, person, body)
  const surveyId = surveyOfKeyword(person.number.keywords, body)
  if (surveyId) return begin(work, person, surveyId)

  const latest = await store.findLatest(tx, person.number.number, person.hash)
  const since = latest?.ended_at ? work.scope.clock.now().getTime() - latest.ended_at.getTime() : Infinity
  if (latest?.ended_reason === 'expired' && !latest.late_told && since < LATE_MS) {
    await tx.prepared(store.updateConversation(tx, { ...latest, late_told: true }))
    const keyword = person.number.keywords.find(({ survey_id }) => survey_id === latest.survey_id)?.keyword
    return {
      reply: message(
        messagesFor(latest.language)(keyword ? 'chat_over_keyword' : 'chat_over', { keyword: keyword ?? '' }),
      ),
      conversationId: latest.id,
    }
  }
  if (since < DAY_MS && (person.number.default_survey_id || isCourtesy(body)))
    return { reply: SILENCE, conversationId: null }
  if (person.number.default_survey_id) return begin(work, person, person.number.default_survey_id)
  return explain(work, person)
}

async function goOn(work: TurnWork, row: store.ConversationRow, person: Person, body: string): Promise<TurnResult> {
  const loaded = await loadConversation(work, row, person.number.timezone ?? 'UTC', person.response)
  if (loaded.kind === 'over') {
    const { say } = await closeOver(work, row, loaded)
    return { reply: message(say), conversationId: row.id }
  }
  const progress = await storeTurn(work, loaded, readReply(loaded, body))
  return turnResult(progress, row, body)
}

async function begin(work: TurnWork, person: Person, surveyId: Id<'survey'>): Promise<TurnResult> {
  const { number, address, hash, masked } = person
  const refused = (refusal: Problem) => ({
    reply: message(refusalText(refusal, number.language ?? 'en')),
    conversationId: null,
  })
  if (work.refusal) return refused(work.refusal)
  const opened = await openConversation(work, {
    channel: 'sms',
    number: number.number,
    address,
    addressHash: hash,
    masked,
    surveyId,
    languages: [number.language],
    timezone: number.timezone ?? 'UTC',
    sendId: null,
    callId: null,
    name: '',
    customData: {},
    begun: true,
  })
  return turnResult(opened, null, person.body)
}

/** @param before the conversation before this message. Null: the message began it. */
function turnResult({ row, say, isKept }: Progress, before: store.ConversationRow | null, body: string): TurnResult {
  const heard = { text: body, confidence: null }
  return {
    reply: message(say),
    conversationId: row.id,
    ...(isKept && { exchange: exchangeOf(before, row, heard, say) }),
  }
}

async function explain({ scope, tx }: TurnWork, { number, hash }: Person): Promise<TurnResult> {
  const strangerHash = `${number.number}:${hash}`
  if (await hasTurnSince(tx, strangerHash, new Date(scope.clock.now().getTime() - STRANGER_MS)))
    return { reply: SILENCE, conversationId: null }
  const { name } = await readWorkspace(tx)
  return {
    reply: message(messagesFor(number.language ?? 'en')('unknown_sender', { workspace: name })),
    conversationId: null,
    strangerHash,
  }
}

function message(text: string): PhoneReply {
  return { kind: 'message', text }
}
