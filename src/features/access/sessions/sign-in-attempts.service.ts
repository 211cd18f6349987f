import { Problem, tooManyRequests } from '../../../http/problems/problem.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import { addressKey } from '../../../platform/networks.ts'
import * as store from './sign-in-attempts.store.ts'

const KNOWN_FOR_MS = 90 * 24 * 3_600_000

/** Counts wrong passwords for one account from one address. */
export interface AttemptCounter {
  take(key: string): Promise<{ allowed: boolean; resetSeconds: number }>
  giveBack(key: string): Promise<void>
}

/**
 * Lets `attempt` verify a password, unless too many were wrong: 10 in 5 minutes for an account from one address, and a
 * growing delay for addresses that are new to the account. Counts before the attempt, so that parallel guesses gain
 * nothing, and takes it back after a success.
 * @throws Problem 429 with the seconds to wait; the errors of `attempt`.
 */
export async function limitAttempts<T>(
  system: SystemScope,
  counter: AttemptCounter,
  email: string,
  attempt: () => Promise<T>,
): Promise<T> {
  const [account, address] = [accountKey(system, email), addressKey(system)]
  const pair = `${account}${address}`
  const allowance = await counter.take(pair)
  if (!allowance.allowed)
    throw tooManyRequests(allowance.resetSeconds, 'There were too many wrong passwords. Wait before the next attempt.')
  let counted = false
  try {
    counted = await countStranger(system, account, address)
    const result = await attempt()
    await rememberAddress(system, email)
    await giveBack()
    return result
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'invalid_credentials')) await giveBack()
    throw error
  }

  async function giveBack(): Promise<void> {
    await counter.giveBack(pair)
    if (counted) await system.tx((tx) => store.takeFailureBack(tx, account))
  }
}

/** Remembers an address whose caller proved to own the account. Wrong passwords by strangers no longer delay it. */
export async function rememberAddress(scope: SystemScope, email: string): Promise<void> {
  await scope.tx((tx) => store.upsertKnownAddress(tx, accountKey(scope, email), addressKey(scope), scope.clock.now()))
}

/** Removes addresses that were unused for 90 days, and outdated wrong passwords. Returns the number of rows. */
export async function forgetAttempts(system: SystemScope, limit: number): Promise<number> {
  const now = system.clock.now().getTime()
  const addresses = await system.tx((tx) => store.deleteOldAddresses(tx, new Date(now - KNOWN_FOR_MS), limit))
  return addresses + (await system.tx((tx) => store.deleteOldDelays(tx, new Date(now - MEMORY_MS), limit)))
}

/** Counts an attempt from a new address. True if it was counted. @throws Problem 429 while new addresses must wait. */
async function countStranger(system: SystemScope, account: string, address: string): Promise<boolean> {
  const now = system.clock.now()
  return system.tx(async (tx) => {
    if (await store.isKnownAddress(tx, account, address)) return false
    await store.insertDelay(tx, account, now)
    const row = await store.lockDelay(tx, account)
    const strangers = { failures: row.failures, blockedUntil: row.blocked_until, lastFailedAt: row.last_failed_at }
    const seconds = secondsToWait(strangers, now)
    if (seconds > 0)
      throw tooManyRequests(
        seconds,
        'There were too many wrong passwords for this account from new addresses. Wait before the next attempt.',
      )
    const { failures, blockedUntil, lastFailedAt } = afterFailure(strangers, now)
    await store.updateDelay(tx, account, { failures, blocked_until: blockedUntil, last_failed_at: lastFailedAt })
    return true
  })
}

function accountKey({ secrets }: Pick<Scope, 'secrets'>, email: string): string {
  return secrets.sign(Buffer.from(email), 'sign-in account').toString('base64url')
}

/** Wrong passwords for one account from addresses that never signed in to it. */
interface Strangers {
  failures: number
  blockedUntil: Date | null
  lastFailedAt: Date
}

const FREE_FAILURES = 10
const LONGEST_SECONDS = 15 * 60
/** Wrong passwords are forgotten after this time without another one. */
const MEMORY_MS = 24 * 3_600_000

/** Whole seconds until a new address may try. 0 if it may now. */
function secondsToWait({ blockedUntil }: Strangers, now: Date): number {
  return Math.max(0, Math.ceil(((blockedUntil?.getTime() ?? 0) - now.getTime()) / 1000))
}

/**
 * Counts one more wrong password. The first ten cost nothing. Then new addresses wait 1 s, 2 s, 4 s … up to 15 minutes.
 */
function afterFailure(before: Strangers, now: Date): Strangers {
  const remembered = now.getTime() - before.lastFailedAt.getTime() < MEMORY_MS ? before.failures : 0
  const failures = remembered + 1
  const seconds = failures > FREE_FAILURES ? Math.min(LONGEST_SECONDS, 2 ** (failures - FREE_FAILURES - 1)) : 0
  return { failures, blockedUntil: seconds > 0 ? new Date(now.getTime() + seconds * 1000) : null, lastFailedAt: now }
}
