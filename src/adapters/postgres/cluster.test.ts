import pg from 'pg'
import { expect, test } from 'vitest'
import { NodeAwayError } from '../../platform/database/database-adapter.ts'
import { createNodeWatch, isNodeAway } from './cluster.ts'

test.each([
  ['08006', 'connection to the remote node earshot_tenant@10.0.0.11:5432 failed with the following error: refused'],
  ['57P01', 'terminating connection due to administrator command'],
  ['XX000', 'failure on connection marked as essential: 10.0.0.11:5432'],
])('the coordinator reports that a node is away: %s %s', (code, message) => {
  expect(isNodeAway(errorOf({ code, message, severity: 'ERROR' }))).toBe(true)
  expect(isNodeAway(errorOf({ code, message, severity: 'FATAL' })), 'the connection itself').toBe(false)
})

test('an error of a statement is none of a node', () => {
  expect(isNodeAway(errorOf({ code: 'XX000', message: 'could not create distributed plan', severity: 'ERROR' }))).toBe(
    false,
  )
  expect(isNodeAway(errorOf({ code: '23505', message: 'duplicate key value', severity: 'ERROR' }))).toBe(false)
  expect(isNodeAway(new Error('connection to the remote node failed'))).toBe(false)
})

test('a process is degraded once a statement has met an absent node', async () => {
  const nodes = createNodeWatch()
  expect(await nodes.watch(Promise.resolve(1))).toBe(1)
  await nodes.watch(Promise.reject(new Error('another'))).catch(() => {})
  expect(nodes.isDegraded()).toBe(false)
  await expect(nodes.watch(Promise.reject(new NodeAwayError(null)))).rejects.toThrow('a node of the database cluster')
  expect(nodes.isDegraded()).toBe(true)
})

function errorOf(fields: { code: string; message: string; severity: string }): Error {
  return Object.assign(new pg.DatabaseError(fields.message, 0, 'error'), fields)
}
