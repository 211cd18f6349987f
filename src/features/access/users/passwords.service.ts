import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { Problem } from '../../../http/problems/problem.ts'
import { createFairLimit } from '../../../platform/loop/fair-limit.ts'
import { addressKey } from '../../../platform/networks.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'

// OWASP's second argon2id profile: 19 MiB, two passes, one lane. `algorithm` 2 is argon2id.
const PARAMETERS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const SALT_BYTES = 16
const ENCODED = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$/

// A hash needs 19 MiB and a core. More at once than cores is no faster, and node's four threads also serve files and
// DNS.
const AT_ONCE = Math.min(3, availableParallelism())
// About 6 s of hashes on two cores.
const MOST_WAITING = 300
const limit = createFairLimit(AT_ONCE, { most: MOST_WAITING, refusal: busy })

type AnyScope = Scope | SystemScope

/** Two hashes of one password with the same recipe are equal. */
export type Recipe = { memoryCost: number; timeCost: number; parallelism: number; salt: Uint8Array }

/**
 * @param scope of the asker. Workspaces, and networks of callers without one, take turns.
 * @throws Problem 503 where too many wait.
 */
export function hashPassword(scope: AnyScope, password: string, recipe?: Recipe): Promise<string> {
  return inTurn(scope, () => hash(password, { ...PARAMETERS, ...recipe }))
}

/** The recipe of an earlier hash. */
export function recipeOf(encoded: string): Recipe {
  const [, memory, time, lanes, salt = ''] = ENCODED.exec(encoded) ?? []
  if (salt === '') throw new Error('a stored password hash is not argon2id')
  const [memoryCost, timeCost, parallelism] = [Number(memory), Number(time), Number(lanes)]
  return { memoryCost, timeCost, parallelism, salt: Buffer.from(salt, 'base64') }
}

/** The recipe of an address without an account. */
export function freshRecipe(seed: Uint8Array): Recipe {
  const { memoryCost, timeCost, parallelism } = PARAMETERS
  return { memoryCost, timeCost, parallelism, salt: seed.subarray(0, SALT_BYTES) }
}

/** Does exactly one argon2id verification. @throws Problem 503 where too many wait. */
export function verifyPassword(scope: AnyScope, passwordHash: string, password: string): Promise<boolean> {
  return inTurn(scope, () => verify(passwordHash, password))
}

function inTurn<Result>(scope: AnyScope, work: () => Promise<Result>): Promise<Result> {
  return limit.run('tenantId' in scope ? scope.tenantId : addressKey(scope), work)
}

function busy(): Problem {
  return new Problem(503, 'busy', {
    detail: 'This server is checking other passwords. Send the request again in a moment.',
    retryAfter: 5,
  })
}
