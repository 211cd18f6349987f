import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { submit } from '../../../../testing/makers.ts'
import { openHouse, type House } from '../../../trust/data-protection/person.fixture.ts'
import { caseUrlIn } from './case-url.service.ts'

let house: House
let webhookId: string
beforeAll(async () => {
  house = await openHouse()
  const { call, receiver } = house
  webhookId = (await call('POST', '/v1/webhooks', { url: receiver.url, events: ['alert.opened'], include_text: false }))
    .body.id
  await call('POST', '/v1/alert-rules', { name: 'All', trigger: { on: 'response', filter: { all: [] } } })
})
afterAll(() => house.close())
beforeEach(() => void house.receiver.requests.splice(0))

async function openWith(answer: string, status = 200): Promise<string> {
  house.receiver.answer(({ body }, response) => {
    const { type } = JSON.parse(body)
    response.writeHead(type === 'alert.opened' ? status : 200, { 'content-type': 'application/json' })
    response.end(type === 'alert.opened' ? answer : 'ok')
  })
  await submit(house.server, house.surveyId, { answers: { q1: 1, q3: 'Late again' } })
  await new Promise((resume) => setImmediate(resume))
  await house.engine.idle()
  return (await house.call('GET', '/v1/alerts')).body.data[0].id
}
const read = async (id: string) => (await house.call('GET', `/v1/alerts/${id}`)).body

test('the ticket of a receiver stands on the alert and in its timeline, once', async () => {
  const id = await openWith('{"caseUrl": "https://tickets.example.com/42"}')
  const alert = await read(id)
  expect(alert.case_url).toBe('https://tickets.example.com/42')
  expect(alert.timeline).toMatchObject([
    { kind: 'opened' },
    { kind: 'case_url', actor: webhookId, to: 'https://tickets.example.com/42' },
  ])
  const event = house.receiver.requests.map(({ body }) => JSON.parse(body)).find(({ type }) => type === 'alert.opened')
  expect(event.data).toMatchObject({ alertId: id, status: 'new', score: { value: 1 }, omitted: ['text'] })
  expect(event.data.text).toBeUndefined()
  const { data } = (await house.call('GET', '/v1/webhook-deliveries?event=alert.opened')).body
  house.receiver.answer((_, response) => void response.end('{"caseUrl": "https://tickets.example.com/43"}'))
  expect((await house.call('POST', `/v1/webhook-deliveries/${data[0].id}/replay`)).status).toBe(409)
  expect((await read(id)).timeline).toHaveLength(2)
})

test('an answer that is no ticket changes nothing', async () => {
  for (const answer of ['{"caseUrl": "http://x.example/1"}', '{"caseUrl": 7}', 'caseUrl', '[]'])
    expect((await read(await openWith(answer))).case_url, answer).toBeNull()
  expect((await read(await openWith('{"caseUrl": "https://x.example/1"}', 500))).case_url).toBeNull()
  expect(caseUrlIn(`{"caseUrl": "https://x.example/${'a'.repeat(3_000)}"}`)).toBeNull()
  expect(caseUrlIn('{"caseUrl": "https://user:secret@x.example/1"}')).toBeNull()
  expect(caseUrlIn('{"caseUrl": "javascript:alert(1)"}')).toBeNull()
})
