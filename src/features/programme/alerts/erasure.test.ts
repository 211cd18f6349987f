import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillErasedColumns, leftInErased } from '../../../testing/database/erased-columns.ts'
import { makeLiveSurvey, submit } from '../../../testing/makers.ts'
import {
  EMAIL,
  everythingStored,
  openHouse,
  PHONE,
  runRequests,
  TRACES,
  type House,
} from '../../trust/data-protection/person.fixture.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

const holdsTraces = (text: string) => TRACES.some((trace) => trace.test(text))

test('an erasure reaches alerts, comments, leads, agents, their events and deliveries', async () => {
  const { call, server, workspace, receiver } = house
  await call('POST', '/v1/webhooks', { url: receiver.url, events: ['alert.opened', 'alert.resolved', 'lead.created'] })
  const surveyId = await makeLiveSurvey(server, workspace, {
    name: 'After the fair',
    metric: 'nps',
    custom_fields: ['agent_id'],
    questions: [
      { id: 'q1', type: 'nps', title: 'How likely are you to recommend us?' },
      { id: 'q3', type: 'open_text', title: 'Tell us more', format: 'text' },
      { id: 'q4', type: 'contact', title: 'Who are you?', fields: ['name', 'email', 'phone'] },
    ],
    lead_capture: { contact: 'q4' },
  })
  await call('POST', '/v1/alert-rules', {
    name: 'All',
    trigger: { on: 'response', filter: { all: [] } },
    owner_id: workspace.userId,
  })
  const who = { name: 'Wilhelmina Unmistakable', email: EMAIL, phone: PHONE }
  await submit(server, surveyId, {
    answers: { q1: 2, q3: 'I live in the lighthouse.', q4: who },
    custom_data: { agent_id: EMAIL },
  })
  const other = await submit(server, surveyId, { answers: { q1: 3, q3: 'A quiet place' } })
  const alerts = async () => (await call('GET', '/v1/alerts')).body.data
  const [quiet, loud] = await alerts()
  expect(quiet.response_id).toBe(other.id)
  await call('PATCH', `/v1/alerts/${loud.id}`, { status: 'resolved', root_cause: 'The lighthouse is far away' })
  await call('POST', `/v1/alerts/${loud.id}/comments`, { text: 'Wilhelmina called.' })
  await call('POST', `/v1/alerts/${quiet.id}/comments`, { text: `Compare the case of ${EMAIL}` })
  await call('POST', '/v1/leads', { name: 'By hand', email: 'somebody@example.com' })
  const [byHand] = (await call('GET', '/v1/leads')).body.data
  await call('POST', `/v1/leads/${byHand.id}/notes`, { text: `A friend of ${PHONE}` })
  await house.engine.idle()
  expect((await everythingStored(server)).filter(holdsTraces).length).toBeGreaterThan(5)
  await fillErasedColumns(server, 'alerts')

  const request = await call('POST', '/v1/gdpr/requests', { kind: 'erasure', subject: { email: EMAIL } })
  await runRequests(server)
  const done = (await call('GET', `/v1/gdpr/requests/${request.body.id}`)).body
  expect(done).toMatchObject({ status: 'completed', counts: { alerts: 1, leads: 2, people: 1 } })
  expect(done.counts.comments).toBeGreaterThanOrEqual(2)

  expect(await leftInErased(server, 'alerts')).toEqual([])
  const [still, erased] = await alerts()
  expect(still).toMatchObject({ excerpt: 'A quiet place' })
  expect(erased).toMatchObject({ excerpt: null, root_cause: null, status: 'resolved', score: 2 })
  const shown = [
    ...(await Promise.all([loud.id, quiet.id].map((id) => call('GET', `/v1/alerts/${id}`)))),
    await call('GET', '/v1/leads'),
    await call('GET', '/v1/agents'),
  ].map(({ text }) => text)
  expect(shown.filter(holdsTraces)).toEqual([])
  expect((await everythingStored(server)).filter(holdsTraces)).toEqual([])
  // Of somebody else's lead, the erasure takes the note.
  expect((await call('GET', '/v1/leads')).body.data).toMatchObject([{ id: byHand.id, name: 'By hand', notes: [] }])
  // The address stays out.
  expect((await call('POST', '/v1/leads', { email: EMAIL })).body.code).toBe('erased')
  await submit(server, surveyId, { answers: { q1: 9, q4: who } })
  expect((await call('GET', '/v1/leads')).body.data).toHaveLength(1)
})
