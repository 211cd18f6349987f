import { expect, test } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { hashPassword } from './passwords.service.ts'

const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1, salt: Buffer.alloc(16, 1) }
const workspace = () => ({ tenantId: newId('workspace') }) as Scope

test('a workspace with many passwords to hash keeps no other waiting, and too many are refused', async () => {
  const [many, few] = [workspace(), workspace()]
  const ended: string[] = []
  const hashed = async (scope: Scope, name: string) => {
    await hashPassword(scope, 'a password', CHEAP)
    ended.push(name)
  }
  const crowd = Array.from({ length: 400 }, () => hashed(many, 'many'))
  const one = hashed(few, 'few')
  const outcomes = await Promise.allSettled([...crowd, one])
  expect(ended.indexOf('few')).toBeLessThan(20)
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  expect(refused.length).toBeGreaterThan(200)
  expect(refused[0]).toMatchObject({ status: 503, code: 'busy' })
  // The places are free again.
  await hashPassword(many, 'a password', CHEAP)
})
