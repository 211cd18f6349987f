import { expect, test } from 'vitest'
import { createLog } from '../../platform/config/log.ts'
import { DatabaseUnavailableError } from '../../platform/database/database-adapter.ts'
import { StorageError } from '../../platform/ports/storage-port.ts'
import { unavailable } from './problem.ts'
import { logFailure, toProblem } from './to-problem.ts'

function logged(error: unknown) {
  const lines: Array<Record<string, unknown>> = []
  const log = createLog('debug', { write: (line: string) => void lines.push(JSON.parse(line)) })
  logFailure(log, error, toProblem(error), { requestId: 'req_1', route: 'getMe' })
  return lines
}

test.each([
  [new DatabaseUnavailableError(new Error('connect ECONNREFUSED')), 'connect ECONNREFUSED'],
  [Object.assign(new Error('deadlock detected'), { code: '40P01' }), 'deadlock detected'],
  [
    Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' }),
    'canceling statement due to statement timeout',
  ],
  [new StorageError('denied'), 'denied'],
  [unavailable(), undefined],
])('a request that gets 503 for %s is logged as that, without a stack', (error, reason) => {
  const [line, ...more] = logged(error)
  expect(more).toEqual([])
  expect(line).toMatchObject({ level: 'warn', route: 'getMe', msg: 'a request was turned away' })
  expect([line?.['reason'], line?.['err']]).toEqual([reason, undefined])
})

test('a fault of the server is an error with its stack', () => {
  expect(logged(new TypeError('broken'))).toMatchObject([
    { level: 'error', msg: 'a request failed', err: { name: 'TypeError', stack: expect.any(String) } },
  ])
})
