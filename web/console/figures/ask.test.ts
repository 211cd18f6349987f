import { expect, test } from 'vitest'
import { ApiProblem, type Schemas } from '../../api/client.ts'
import { askFigures } from './ask.ts'

type Asked = Schemas['ReadFigures']

const COUNT = { source: 'responses', measure: 'count' } as const
const BODY: Asked = {
  period: { days: 7 },
  timezone: 'UTC',
  queries: { whole: COUNT, bands: { ...COUNT, by: ['band'] }, topics: { ...COUNT, by: ['topic', 'band'] } },
}

/** A server that knows these groups. */
const serverOf = (groups: string[]) => async (body: Asked) => {
  const unknown = Object.values(body.queries).some(({ by = [] }) => by.some((group) => !groups.includes(group)))
  if (unknown) throw new ApiProblem(400, { code: 'validation_failed' })
  const moment = '2026-01-01T00:00:00Z'
  const figures = Object.keys(body.queries).map((name) => [name, { enough: true, n: 1, unit: 'count' as const }])
  return {
    period: { from: moment, to: moment, timezone: 'UTC' },
    snapshot_at: moment,
    figures: Object.fromEntries(figures),
  }
}

test('a group that the server does not know takes no other figure with it', async () => {
  const all = await askFigures(BODY, serverOf(['band', 'topic']))
  expect(Object.keys(all.figures)).toEqual(['whole', 'bands', 'topics'])
  const without = await askFigures(BODY, serverOf(['band']))
  expect(Object.keys(without.figures)).toEqual(['whole', 'bands'])
  await expect(askFigures(BODY, serverOf([]))).rejects.toThrow(ApiProblem)
})
