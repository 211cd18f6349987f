import { parseArgs } from 'node:util'
import { openHouse, timed } from './parts/house.ts'
import { machine, median, say, verdict } from './parts/rig.ts'
import { fillYear, rollAll } from './parts/year.ts'

// The data of dashboards over HTTP, over a year of responses of one survey.
const { values: options } = parseArgs({
  options: { responses: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '9' } },
})
const house = await openHouse()
const { call } = house
const responses = Number(options.responses)
say(`${machine()}; ${responses.toLocaleString('en')} responses of a year in one survey.\n`)
await fillYear(house, responses)

const { data } = await call<{ data: Array<{ id: string }> }>('GET', '/v1/dashboards')
const builtIn = data[0]?.id ?? ''
const promoters = { all: [{ field: 'band', op: 'eq', value: 'promoter' }] }
const eight = await dashboard('Eight', [
  { kind: 'gauge', query: { measure: 'nps', compare: 'previous' } },
  { kind: 'number', query: { measure: 'count', compare: 'previous' } },
  { kind: 'number', query: { measure: 'completion_rate' } },
  { kind: 'line', query: { measure: 'nps', interval: 'week' } },
  { kind: 'bar', query: { measure: 'count', interval: 'month' } },
  { kind: 'pie', query: { measure: 'count', by: ['channel'] } },
  { kind: 'table', query: { measure: 'nps', by: ['band'] } },
  { kind: 'verbatim', query: { measure: 'count', limit: 10 } },
])
const filtered = await dashboard('Filtered', [{ kind: 'number', query: { measure: 'count', filter: promoters } }])

// The first call asks for rollups.
for (const id of [builtIn, eight]) await call('GET', `/v1/dashboards/${id}/data`)
await rollAll(house)
await measure('the built-in dashboard, 30 days, ms', builtIn, 150)
await measure('eight widgets over the year, ms', eight, 500)
await measure('one filtered number over the year, ms', filtered, 500)
await house.close()

async function measure(what: string, id: string, atMost: number): Promise<void> {
  await call('GET', `/v1/dashboards/${id}/data`)
  const times: number[] = []
  for (let round = 0; round < Number(options.rounds); round++)
    times.push(await timed(() => call('GET', `/v1/dashboards/${id}/data`)))
  verdict(`${what}, worst ${Math.max(...times).toFixed(0)}, median`, median(times), { atMost }, 0)
}

async function dashboard(name: string, widgets: Array<{ kind: string; query: object }>): Promise<string> {
  const { id } = await call<{ id: string }>('POST', '/v1/dashboards', {
    name,
    period: { days: 365 },
    timezone: 'UTC',
    widgets: widgets.map(({ kind, query }, n) => ({
      id: `w${n}`,
      kind,
      title: `W ${n}`,
      query: { source: 'responses', ...query },
      layout: { x: 0, y: n, w: 4, h: 1 },
    })),
  })
  return id
}
