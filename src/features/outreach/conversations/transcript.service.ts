import type { z } from 'zod'
import { notFound } from '../../../http/problems/problem.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { listenTo, type Listener } from '../../../platform/work/listeners.ts'
import { REMOVED } from '../../answers/responses/completion.service.ts'
import { getResponse } from '../../answers/responses/responses.service.ts'
import * as store from './conversations.store.ts'
import { openExchange, type Exchange } from './exchange.ts'
import { openingOf } from './outbound.service.ts'
import type { Conversation } from './conversations.schema.ts'

type Turn = z.input<typeof Conversation>['turns'][number]

/**
 * The words that a response was given in, by SMS or in a call. @throws Problem 404, also for a response that was
 * deleted.
 */
export async function readConversation(scope: Scope, id: Id<'response'>): Promise<z.input<typeof Conversation>> {
  if ((await getResponse(scope, id)).state === 'deleted') throw notFound('response')
  return scope.read(async (tx) => {
    const row = await store.findOfResponse(tx, id)
    if (!row) throw notFound('response')
    const opening = openingOf(scope, row)
    const exchanges = await store.listExchanges(tx, row.id)
    return {
      channel: row.channel,
      number: row.number,
      status: row.ended_reason ?? 'open',
      turns: [
        ...(opening === null ? [] : [ofOurs(row.opened_at, { kind: 'opening', text: opening, question_id: null })]),
        ...exchanges.flatMap((turn) => turnsOf(turn.received_at, openExchange(scope.secrets, turn.id, turn.exchange))),
      ],
    }
  })
}

/** Responses that are gone keep no words, and their conversations go with their time. */
export const onRemoved: Listener = listenTo(REMOVED, async (_scope, tx) => ({
  async handle(ids) {
    await store.forgetExchanges(tx, ids)
    await store.releaseEnded(tx, ids)
  },
}))

function turnsOf(at: Date, { heard, said }: Exchange): Turn[] {
  const ofPerson: Turn[] = heard ? [{ at: at.toISOString(), from: 'respondent', kind: 'reply', ...heard }] : []
  return [...ofPerson, ofOurs(at, said)]
}

function ofOurs(at: Date, said: Exchange['said']): Turn {
  return { at: at.toISOString(), from: 'us', ...said, confidence: null }
}
