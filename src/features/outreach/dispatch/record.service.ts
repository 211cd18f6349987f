import type { Scope } from '../../../platform/scope.ts'
import { closeConversationOfSend } from '../conversations/outbound.service.ts'
import { recordAccepted } from '../../delivery/sends/acceptance.service.ts'
import { suppress } from '../suppression/suppression.service.ts'
import * as store from './dispatch.store.ts'
import { afterRefusal, isFinal, type Attempted } from './send-attempt.ts'

/**
 * Records what became of claimed sends, in one transaction: acceptances with all that they cause, refusals with when to try
 * again. Those in doubt stay as they are until a callback or the recovery sweep tells.
 */
export async function recordOutcomes(scope: Scope, claim: Pick<store.SendClaim, 'leaseToken' | 'leaseUntil'>, attempted: Attempted[]): Promise<void> {
  const now = scope.clock.now()
  const accepted = attempted.flatMap(({ id, outcome }) => (outcome.kind === 'accepted' ? [{ sendId: id, providerId: outcome.providerId }] : []))
  const settled = attempted.flatMap(({ id, attempts, wasInDoubt, outcome }): store.Settled[] => {
    if (outcome.kind === 'refused')
      return [
        {
          id,
          inDoubt: outcome.verdict === 'unknown' || (wasInDoubt && outcome.code !== 'interrupted' && !isFinal(outcome.verdict)),
          ...afterRefusal(attempts, outcome, now),
        },
      ]
    if (outcome.kind === 'not_called') return [{ id, inDoubt: wasInDoubt, status: 'queued', reason: null, attempts, nextAttemptAt: outcome.retryAt ?? now }]
    return []
  })
  if (accepted.length + settled.length > 0) {
    await insist(scope, claim.leaseUntil, () =>
      scope.tx(async (tx) => {
        if (accepted.length > 0) await recordAccepted(scope, tx, accepted)
        if (settled.length === 0) return
        const touched = await store.updateSettled(tx, claim.leaseToken, settled, now)
        for (const { id, status } of settled) {
          if (status === 'failed' && touched.has(id)) await closeConversationOfSend(tx, id)
        }
        for (const { id, outcome, addressHash, masked } of attempted) {
          if (outcome.kind !== 'refused' || outcome.verdict !== 'opted_out' || !touched.has(id)) continue
          await suppress(scope, tx, { channel: 'sms', hash: addressHash, masked, reason: 'stop_keyword', source: 'provider' })
        }
      }),
    )
  }
  for (const { id, attempts, outcome } of attempted) {
    if (outcome.kind === 'refused' || outcome.kind === 'doubt') {
      scope.log.warn({ sendId: id, attempts: attempts + 1, outcome: outcome.kind, error: outcome.code }, 'a provider did not take a message')
    }
  }
}

const PAUSES_MS = [100, 500, 2_000, 5_000]

/** What a provider has taken is not to be called again because the database was away for a moment. */
async function insist(scope: Scope, until: Date, record: () => Promise<void>): Promise<void> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await record()
    } catch (err) {
      if (scope.clock.now() >= until) throw err
      scope.log.warn({ err }, 'what became of messages could not be recorded; trying again')
      await new Promise((resume) => setTimeout(resume, pauseMs))
    }
  }
  return record()
}
