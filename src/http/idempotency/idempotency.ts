import { createHash, randomUUID } from 'node:crypto'
import type { OnTransaction, Scope } from '../../platform/scope.ts'
import { tenantTransaction } from '../../platform/database/database.ts'
import { ANSWER_COPIED, ANSWERS_GONE, NotCopiedError } from '../../platform/personal.ts'
import { textsOfAnswer } from './masked-answer.ts'
import { badRequest, conflict } from '../problems/problem.ts'
import * as store from './idempotency.store.ts'

export const REPLAY_HOURS = 24
const LEASE_MS = 60_000

export interface StoredAnswer {
  status: number
  body: string
}

export type Claim =
  | { outcome: 'replay'; answer: StoredAnswer }
  | {
      outcome: 'run'
      onTransaction: OnTransaction
      remember(answer: StoredAnswer): Promise<void>
      /** Keeps the key without its answer. */
      lose(): Promise<void>
      /** Gives the key back. After a failure, a key whose effect was committed stays. */
      forget(end: { refused: boolean }): Promise<void>
    }

/**
 * Claims an `Idempotency-Key` for one request (docs/specification.md, "Idempotency"). The transaction with the effect
 * marks the key, so a retry after a crash cannot repeat the effect.
 * @throws Problem 400 for a malformed key; 409 if another body succeeded under it, its first request still runs, or its
 * answer was lost.
 */
export async function claimKey(
  scope: Scope,
  route: string,
  header: string,
  request: ReadonlyArray<string | Uint8Array>,
): Promise<Claim> {
  if (!/^[\x21-\x7e]{1,255}$/.test(header)) {
    throw badRequest([{ path: 'Idempotency-Key', message: 'Use 1 to 255 visible ASCII characters, such as a UUID.' }])
  }
  const principal =
    scope.principal.type === 'user' || scope.principal.type === 'api_key'
      ? `${scope.principal.type}:${scope.principal.id}`
      : scope.principal.type
  const [hash, ...formerKeys] = hashesOf(scope, header)
  const key = { principal, route, key: hash }
  // The answer may show what another set of permissions hides.
  const permissions = 'permissions' in scope.principal ? [...scope.principal.permissions].toSorted() : []
  const hasher = createHash('sha256').update(permissions.join(' '))
  for (const part of request) hasher.update('\n').update(part)
  const requestHash = hasher.digest('hex')
  const now = scope.clock.now()
  const id = randomUUID()
  const plain = <T>(work: Parameters<typeof tenantTransaction<T>>[2]) =>
    tenantTransaction(scope.ports.database, scope.tenantId, work)

  const known = await plain(async (tx) => {
    const claim = { id, requestHash, now, leaseUntil: new Date(now.getTime() + LEASE_MS) }
    for (;;) {
      const row = await store.lockRow(tx, key, formerKeys)
      if (!row) {
        if (await store.insertClaim(tx, key, claim)) return null
        // Another request was faster. Its row is read, or if it was released, one of those who wait gets the key.
        continue
      }
      const expired = row.created_at.getTime() + REPLAY_HOURS * 3_600_000 <= now.getTime()
      const abandoned = row.state === 'in_flight' && row.lease_until <= now
      if (!expired && !abandoned) return row
      await store.deleteRow(tx, { ...key, key: row.key })
      await scope.signals.emit(ANSWERS_GONE, scope, tx, [row.id])
    }
  })

  const lose = async () => void (await plain((tx) => store.endLease(tx, key, { id, now: scope.clock.now() })))
  if (known) return { outcome: 'replay', answer: answerOf(known, requestHash, now) }
  return {
    outcome: 'run',
    onTransaction: async (tx) => void (await store.markExecuted(tx, key, id)),
    async remember(answer) {
      const texts = await textsOfAnswer(answer.body)
      try {
        await plain(async (tx) => {
          await store.updateAnswer(tx, key, answer)
          await scope.signals.emit(ANSWER_COPIED, scope, tx, { id, since: now, ...texts })
        })
      } catch (error) {
        if (!(error instanceof NotCopiedError)) throw error
        await lose()
      }
    },
    lose,
    forget: async ({ refused }) => void (await plain((tx) => store.releaseClaim(tx, key, { id, refused }))),
  }
}

/**
 * A caller may put an address into a key, so only its keyed hash is stored. Rows of a day may still have a hash under
 * an older secret.
 */
function hashesOf(scope: Scope, header: string): [string, ...string[]] {
  const [newest, ...older] = scope.secrets
    .signatures(Buffer.from(header), `idempotency_keys:${scope.tenantId}`)
    .map((hash) => hash.toString('base64url'))
  return [newest as string, ...older]
}

function answerOf(row: store.IdempotencyRow, requestHash: string, now: Date): StoredAnswer {
  if (row.request_hash !== requestHash) {
    throw conflict(
      'idempotency_key_reused',
      'This Idempotency-Key was used with another body, or with other permissions. Use a new key for a new request.',
    )
  }
  if (row.state === 'answered' && row.status !== null) return { status: row.status, body: row.body ?? '' }
  if (row.state === 'executed' && row.lease_until <= now) {
    throw conflict(
      'idempotency_answer_lost',
      'The first request took effect, but its answer was lost. Read the resource, and do not repeat the request ' +
        'under a new key.',
    )
  }
  throw conflict(
    'idempotency_in_flight',
    'The first request under this Idempotency-Key is still running. Try again in a moment.',
  )
}
