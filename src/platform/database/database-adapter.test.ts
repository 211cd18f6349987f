import { expect, test } from 'vitest'
import { DatabaseUnavailableError, createAvailabilityLog } from './database-adapter.ts'
import { createLog } from '../config/log.ts'

test('a database that goes and comes back is told of once each', () => {
  const lines: Array<Record<string, unknown>> = []
  const log = createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) })
  const availability = createAvailabilityLog(log)
  availability.up()
  for (let i = 0; i < 3; i++) availability.down(new DatabaseUnavailableError(new Error('connect ECONNREFUSED')))
  availability.up()
  availability.up()
  expect(lines).toMatchObject([
    { level: 'error', reason: 'connect ECONNREFUSED', msg: expect.stringContaining('cannot be reached') },
    { level: 'warn', awaySeconds: expect.any(Number), msg: 'the database is back' },
  ])
})
