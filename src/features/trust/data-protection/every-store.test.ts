import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeInMemory } from '../../../testing/memory-storage.ts'
import { runSweep, sweepNamed } from '../../../testing/fixtures.ts'
import { makeLiveSurvey, NPS_SURVEY, submit } from '../../../testing/makers.ts'
import { EMAIL, openHouse, PHONE, plantPerson, runRequests, type House } from './person.fixture.ts'

let house: House
let responses: string[]
beforeAll(async () => {
  house = await openHouse()
  storeInMemory(house.server)
  const { server, surveyId, call, engine } = house
  await call('POST', '/v1/alert-rules', { name: 'All', trigger: { on: 'response', filter: { all: [] } } })
  responses = await plantPerson(house)
  responses.push((await submit(server, surveyId, { answers: { q1: 2, q3: `I am ${EMAIL}` } })).id)
  await engine.idle()
  const alert = (await call('GET', '/v1/alerts')).body.data[0]
  await call('PATCH', `/v1/alerts/${alert.id}`, { case_url: `https://8.8.8.8/${EMAIL}`, root_cause: EMAIL })
  await call('POST', `/v1/alerts/${alert.id}/comments`, { text: `Called ${EMAIL}` })
  await call('POST', '/v1/leads', { name: 'Wilhelmina', email: EMAIL, phone: PHONE })
  await call('POST', '/v1/export-runs', { source: 'responses' })
  await runSweep(server, sweepNamed('exports.runs'))
  await reportPlans()
  await request({ kind: 'access', subject: { email: EMAIL } })
}, 60_000)
afterAll(() => house.close())

/** A report whose group has the address as its name. */
async function reportPlans(): Promise<void> {
  const { server, workspace, call } = house
  const surveyId = await makeLiveSurvey(server, workspace, { ...NPS_SURVEY, custom_fields: ['plan'] })
  for (let n = 0; n < 5; n++) await submit(server, surveyId, { answers: { q1: 9 }, custom_data: { plan: EMAIL } })
  const widget = {
    id: 'plans',
    kind: 'table',
    title: 'Plans',
    query: { source: 'responses', measure: 'count', by: ['custom.plan'] },
    layout: { x: 0, y: 0, w: 4, h: 3 },
  }
  const dashboard = (await call('POST', '/v1/dashboards', { name: 'Plans', widgets: [widget] })).body
  const report = await call('POST', '/v1/reports', { name: 'Plans', dashboard_id: dashboard.id, recipients: [] })
  await call('POST', `/v1/reports/${report.body.id}/run`)
  await runSweep(server, sweepNamed('reports.run'))
}

async function request(body: object) {
  const { id } = (await house.call('POST', '/v1/gdpr/requests', body)).body
  await runRequests(house.server)
  await runSweep(house.server, sweepNamed('exports.runs'))
  house.server.clock.advance(10_000)
  await runRequests(house.server)
  return (await house.call('GET', `/v1/gdpr/requests/${id}`)).body
}
const subject = { email: EMAIL, phone: PHONE }

test('an erasure of every store ends, and no store finds again what its own erasure left', async () => {
  const erasure = await request({ kind: 'erasure', subject })
  const { counts } = erasure
  expect(Object.keys(counts).filter((name) => counts[name] === 0)).toEqual([])
  expect(erasure.status).toBe('completed')
  const again = await request({ kind: 'erasure', subject: { ...subject, response_ids: responses } })
  expect(again.status).toBe('completed')
  expect(Object.keys(again.counts).filter((name) => again.counts[name] > 0)).toEqual([])
})
