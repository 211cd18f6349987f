import { expect, test } from 'vitest'
import { acrossTenants, type Among } from './across-tenants.ts'
import type { SystemTx } from '../database/database.ts'
import { NodeAwayError } from '../database/database-adapter.ts'
import type { SystemScope } from '../scope.ts'

// Two nodes with a tenant each, as the coordinator lists them. The answers of `read` are the nodes themselves.
const TENANTS = [{ tenants: ['first'] }, { tenants: ['second'] }]

function systemOf(cluster: boolean): SystemScope {
  const tx = { isCluster: async () => cluster, many: async () => TENANTS } as unknown as SystemTx
  return { tx: <T>(work: (given: SystemTx) => Promise<T>) => work(tx) } as unknown as SystemScope
}

test('one statement reads all tenants', async () => {
  const asked: Among[] = []
  const read = async (_: SystemTx, among: Among) => (asked.push(among), ['all'])
  expect(await acrossTenants(systemOf(false), read)).toEqual(['all'])
  expect(await acrossTenants(systemOf(true), read)).toEqual(['all'])
  expect(asked.map(({ cluster }) => cluster)).toEqual([false, true])
})

test('while a node is away, the others are read one by one', async () => {
  let asked = 0
  const read = async () => {
    asked += 1
    if (asked < 3) throw new NodeAwayError(null)
    return ['of the second node']
  }
  expect(await acrossTenants(systemOf(true), read)).toEqual(['of the second node'])
  expect(asked).toBe(3)
})

test('any other failure is thrown', async () => {
  const broken = async () => Promise.reject(new Error('another'))
  await expect(acrossTenants(systemOf(true), broken)).rejects.toThrow('another')
})
