import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
  type IRateLimiterOptions,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible'
import { sql, type SystemTx } from '../../platform/database/database.ts'
import type { CounterStore } from '../../platform/database/database-adapter.ts'
import type { Principal } from '../../platform/principal.ts'
import { tooManyRequests, unavailable } from '../problems/problem.ts'

export interface Allowance {
  allowed: boolean
  limit: number
  remaining: number
  /** Whole seconds until the window ends, at least 1. */
  resetSeconds: number
}

export interface RateLimiter {
  /** Counts uses of `key`, one unless told. */
  take(key: string, uses?: number): Promise<Allowance>
  /** Takes one use back. */
  giveBack(key: string): Promise<void>
}

export interface RateRule {
  name: string
  points: number
  windowSeconds: number
}

/** The limits of requests, and what each is counted for. */
export const RATE_RULES = {
  apiKey: { name: 'api_key', points: 600, windowSeconds: 60 },
  session: { name: 'session', points: 3_000, windowSeconds: 60 },
  refusedAddress: { name: 'refused_address', points: 120, windowSeconds: 60 },
  templateTest: { name: 'template_test', points: 10, windowSeconds: 60 },
  reportRun: { name: 'report_run', points: 10, windowSeconds: 60 },
  webhookTest: { name: 'webhook_test', points: 10, windowSeconds: 60 },
  proxyFetch: { name: 'proxy_fetch', points: 120, windowSeconds: 60 },
  tickets: { name: 'tickets', points: 60, windowSeconds: 60 },
  auditVerify: { name: 'audit_verify', points: 30, windowSeconds: 60 },
  signInAccount: { name: 'sign_in_account', points: 10, windowSeconds: 300 },
  signInAddress: { name: 'sign_in_address', points: 100, windowSeconds: 300 },
  signUpAddress: { name: 'sign_up_address', points: 300, windowSeconds: 3600 },
  signUpAccount: { name: 'sign_up_account', points: 30, windowSeconds: 3600 },
  signUpAccountFrom: { name: 'sign_up_account_from', points: 10, windowSeconds: 3600 },
  mailAddress: { name: 'mail_address', points: 60, windowSeconds: 3600 },
  mailAccount: { name: 'mail_account', points: 5, windowSeconds: 3600 },
  invitations: { name: 'invitations', points: 100, windowSeconds: 3600 },
  captureBegins: { name: 'capture_begins', points: 600, windowSeconds: 60 },
  keptKib: { name: 'kept_kib', points: 256 * 1024, windowSeconds: 86_400 },
  captureKib: { name: 'capture_kib', points: 16 * 1024, windowSeconds: 60 },
} satisfies Record<string, RateRule>

export type RateLimiters = Record<keyof typeof RATE_RULES, RateLimiter>

/**
 * Counts in PostgreSQL if several processes share it, else in memory. `store` is called on first use.
 * @param points of rules that the operator has set.
 */
export function createRateLimiters(
  store: () => CounterStore | null,
  points: Partial<Record<keyof typeof RATE_RULES, number>> = {},
): RateLimiters {
  const made = Object.entries({ ...RATE_RULES }).map(([name, rule]) => [
    name,
    createRateLimiter({ ...rule, points: points[name as keyof typeof RATE_RULES] ?? rule.points }, store),
  ])
  return Object.fromEntries(made) as RateLimiters
}

/** Counts a request that the allowlist refuses. Beyond the limit it leaves no entry in the audit log. */
export function takeRefusal(limiters: RateLimiters, principal: Principal): Promise<Allowance> {
  return limiters.refusedAddress.take('id' in principal ? principal.id : principal.type)
}

/** Counts a request by an API key or a session. Null for other callers. */
export async function takeRequest(limiters: RateLimiters, principal: Principal): Promise<Allowance | null> {
  if (principal.type === 'api_key') return limiters.apiKey.take(principal.id)
  return principal.type === 'user' ? limiters.session.take(principal.sessionId) : null
}

/** @throws Problem 429 when the limit is used up. */
export async function spend(limiter: RateLimiter, key: string, uses = 1): Promise<void> {
  const allowance = await limiter.take(key, uses)
  if (!allowance.allowed) throw tooManyRequests(allowance.resetSeconds)
}

function createRateLimiter(rule: RateRule, store: () => CounterStore | null): RateLimiter {
  let made: RateLimiterAbstract | undefined
  const limiter = () =>
    (made ??= countingIn(store(), { keyPrefix: rule.name, points: rule.points, duration: rule.windowSeconds }))
  const present = (state: RateLimiterRes, allowed: boolean): Allowance => ({
    allowed,
    limit: rule.points,
    remaining: state.remainingPoints,
    resetSeconds: Math.max(1, Math.ceil(state.msBeforeNext / 1000)),
  })
  return {
    async take(key, uses = 1) {
      try {
        return present(await limiter().consume(key, uses), true)
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return present(refusal, false)
        throw unavailable()
      }
    },
    async giveBack(key) {
      await limiter()
        .reward(key)
        .catch(() => {
          throw unavailable()
        })
    },
  }
}

function countingIn(store: CounterStore | null, options: IRateLimiterOptions): RateLimiterAbstract {
  if (!store) return new RateLimiterMemory(options)
  return new RateLimiterPostgres({
    ...options,
    storeClient: store,
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
  })
}

/** Deletes counters whose window ended before a time, in milliseconds since 1970 like the library's own column. */
export function deleteExpired(tx: SystemTx, beforeMs: number, limit: number): Promise<number> {
  return tx.run(sql`
    with expired as materialized (
      select key from rate_limits where expire < ${beforeMs} order by expire limit ${limit} for update skip locked)
    delete from rate_limits where key = any(array(select key from expired))`)
}
