import type { TenantTx } from '../../../../platform/database/database.ts'
import type { Id } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { recordAccepted } from '../acceptance.service.ts'
import { noteProgress } from '../sends.service.ts'
import type { Author, Claimed, Ready } from './author.service.ts'
import * as store from './claims.store.ts'
import { settle, type Outcome } from './outcome.ts'

/** A claimed send and the outcome of its claim. */
export interface Attempted {
  send: Claimed
  outcome: Outcome
}

type Claim = Pick<store.SendClaim, 'leaseToken' | 'leaseUntil'>

/**
 * Records the outcomes of claimed sends in one transaction: acceptances with all that they cause, refusals with the
 * time of the next attempt. A send in doubt stays as it is until a callback or the recovery sweep shows.
 */
export async function recordOutcomes(
  scope: Scope,
  author: Author,
  claim: Claim,
  attempted: Attempted[],
): Promise<void> {
  const now = scope.clock.now()
  const accepted = attempted.flatMap(({ send, outcome }) =>
    outcome.kind === 'accepted' ? [{ sendId: send.id, providerId: outcome.providerId }] : [],
  )
  const settled = settlementsOf(attempted, now)
  if (accepted.length + settled.length > 0) {
    await insist(scope, claim.leaseUntil, () =>
      scope.tx(async (tx) => {
        noteProgress(
          scope,
          tx,
          attempted.map(({ send }) => send),
        )
        if (accepted.length > 0) await author.accepted(scope, tx, await recordAccepted(scope, tx, accepted))
        if (settled.length === 0) return
        const touched = await recordSettled(tx, author, claim, settled, now)
        for (const { send, outcome } of attempted) {
          if (outcome.kind !== 'refused' || outcome.verdict !== 'opted_out' || !touched.has(send.id)) continue
          await author.optedOut(scope, tx, { addressHash: send.address_hash, masked: send.masked })
        }
      }),
    )
  }
  for (const one of attempted) logFailure(scope, one)
}

/** Settles the sends that do not go out, in the transaction of their claim, and returns the others. */
export async function settleUnsent(
  tx: TenantTx,
  author: Author,
  claim: Pick<store.SendClaim, 'leaseToken' | 'now'>,
  composed: (Ready | Attempted)[],
): Promise<Ready[]> {
  const unsent = composed.filter((one) => 'outcome' in one)
  if (unsent.length > 0) await recordSettled(tx, author, claim, settlementsOf(unsent, claim.now), claim.now)
  return composed.filter((one) => 'message' in one)
}

/** Returns the ids of those whose lease was not lost. */
async function recordSettled(
  tx: TenantTx,
  author: Author,
  { leaseToken }: Pick<Claim, 'leaseToken'>,
  settled: store.SettledSend[],
  now: Date,
): Promise<Set<Id<'send'>>> {
  const touched = await store.updateSettled(tx, leaseToken, settled, now)
  const ended = settled.filter(({ id, status }) => status !== 'queued' && touched.has(id))
  await author.ended(
    tx,
    ended.map(({ id }) => id),
  )
  return touched
}

function settlementsOf(attempted: Attempted[], now: Date): store.SettledSend[] {
  return attempted.flatMap(({ send, outcome }) => {
    const settlement = settle(send, outcome, now)
    return settlement ? [{ id: send.id, ...settlement }] : []
  })
}

function logFailure(scope: Scope, { send, outcome }: Attempted): void {
  if (outcome.kind !== 'refused' && outcome.kind !== 'doubt' && outcome.kind !== 'not_found') return
  const error = outcome.kind === 'not_found' ? 'interrupted' : outcome.code
  scope.log.warn(
    { sendId: send.id, attempts: send.attempts + 1, outcome: outcome.kind, error },
    'a provider did not take a message',
  )
}

const PAUSES_MS = [100, 500, 2_000, 5_000]

/** A message that a provider took is not sent again because the database was away for a moment. */
async function insist(scope: Scope, until: Date, record: () => Promise<void>): Promise<void> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await record()
    } catch (err) {
      if (scope.clock.now() >= until) throw err
      scope.log.warn({ err }, 'the outcome of messages could not be recorded; trying again')
      await new Promise((resume) => setTimeout(resume, pauseMs))
    }
  }
  return record()
}
