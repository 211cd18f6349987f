import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { parseId } from '../../../../platform/ids.ts'
import { createWorkspace, runSweep, runTurns } from '../../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../../testing/harness.ts'
import { publishSurvey, submit } from '../../../../testing/survey-fixtures.ts'
import { newTextsSweep, topicRunsSweep } from '../verbatim.feature.ts'

let server: TestServer
let token: string
let surveyId: string
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(openSurvey)
afterAll(() => server.close())

async function openSurvey(): Promise<void> {
  ;({ token } = await createWorkspace(server))
  const questions = [
    { id: 'q1', type: 'nps', title: 'T' },
    { id: 'why', type: 'open_text', title: 'T', max_length: 50_000 },
  ]
  surveyId = await publishSurvey(server, token, { questions })
}

const classify = () => runSweep(server, newTextsSweep)

async function answer(why: string): Promise<string> {
  const made = await submit(server, surveyId, { q1: 3, why })
  expect(made, made.text.slice(0, 500)).toMatchObject({ status: 201 })
  return made.body.id
}

async function listed(query: Record<string, string> = {}): Promise<string[]> {
  const found = await server.request('GET', `/v1/verbatim?${new URLSearchParams({ limit: '100', ...query })}`, {
    token,
  })
  return found.body.data.map((row: { text: string }) => row.text)
}

const wordsOf = (id: string) =>
  server.peek<{ word: string }>('select word from verbatim_words where response_id = $1', [uuid(id)])
const uuid = (id: string) => parseId('response', id)

test('answers of marks alone keep no other from being classified', async () => {
  for (let n = 0; n < 8; n += 1) await answer(`@a${['\u0301\u0316', '\u0592\u0591'][n % 2]?.repeat(24_999)}`)
  await answer('Great delivery')
  expect(await classify()).toBe(9)
  expect(await listed()).toHaveLength(9)
  expect(await listed({ search: 'deliveries' })).toEqual(['Great delivery'])
})

test('long texts are stored some at a time, and each once', async () => {
  const long = (n: number) => `word${n} ${'delivery was late '.repeat(2_700)}`.trim()
  for (let n = 0; n < 10; n += 1) await answer(long(n))
  server.statements.length = 0
  expect(await classify()).toBe(10)
  const stored = server.statements.filter(({ text }) => /^\s*insert into verbatims /.test(text))
  expect(stored.length).toBe(3)
  expect((await listed()).length).toBe(10)
  expect(await server.peek('select 1 from verbatim_waiting')).toEqual([])
  const topic = { name: 'Words', keywords: { en: ['word7'] } }
  const made = await server.request('POST', '/v1/topics', { token, body: topic })
  expect(await runSweep(server, topicRunsSweep)).toBe(10)
  const run = (await server.request('GET', `/v1/topics/${made.body.id}`, { token })).body.classification
  expect(run).toEqual({ state: 'done', done: 10, total: 10 })
  const filter = JSON.stringify({ all: [{ field: 'topic', op: 'eq', value: made.body.id }] })
  expect(await listed({ filter })).toEqual([long(7)])
})

test('many long answers to one workspace delay the texts of another by one turn', async () => {
  const long = 'delivery was late '.repeat(2_700)
  for (let n = 0; n < 12; n += 1) await answer(long)
  const many = token
  await openSurvey()
  await answer('Great delivery')
  const few = token
  const texts = async (owner: string) => {
    token = owner
    return (await listed()).length
  }
  expect(await runTurns(server, newTextsSweep, 2)).toBe(11)
  expect([await texts(few), await texts(many)]).toEqual([1, 10])
  await classify()
  expect(await texts(many)).toBe(12)

  const runs: string[] = []
  for (const owner of [many, few]) {
    const body = { name: 'Late', keywords: { en: ['late'] } }
    const made = await server.request('POST', '/v1/topics', { token: owner, body })
    runs.push(`/v1/topics/${made.body.id}`)
  }
  const states = () =>
    Promise.all(
      [many, few].map(
        async (owner, at) => (await server.request('GET', runs[at] ?? '', { token: owner })).body.classification.done,
      ),
    )
  await runTurns(server, topicRunsSweep, 2)
  expect(await states()).toEqual([10, 1])
  await runSweep(server, topicRunsSweep)
  expect(await states()).toEqual([12, 1])
})

test.each([
  ['changed', `text = jsonb_set(text, '{0,value}', '"Another"')`],
  ['erased', 'erased_at = now()'],
])('a text that is %s between reading and storing is not indexed as it was', async (_, change) => {
  const id = await answer('Secretive delivery')
  const isBlocked = () =>
    server.peek(`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`)
  let running: Promise<number> | undefined
  await server.services.database.asOwner(async (owner) => {
    await owner.query('begin')
    await owner.query('select 1 from responses where id = $1 for update', [uuid(id)])
    running = classify()
    await vi.waitUntil(async () => (await isBlocked()).length > 0, { timeout: 10_000, interval: 5 })
    await owner.query(`update responses set ${change} where id = $1`, [uuid(id)])
    await owner.query('commit')
  })
  expect(await running).toBe(1)
  expect(await wordsOf(id)).toEqual([])
  expect(await server.peek('select 1 from verbatims where response_id = $1', [uuid(id)])).toEqual([])
})

test('another language of a long text finds its words anew', async () => {
  const id = await answer(`Les livraisons rapides ${'\u0301\u0316'.repeat(20_000)}`)
  await classify()
  const change = (language: string) => server.request('PATCH', `/v1/verbatim/${id}/why`, { token, body: { language } })
  expect(await change('fr')).toMatchObject({ status: 200, body: { language: 'fr' } })
  const french = (await wordsOf(id)).map(({ word }) => word)
  expect(french).toContain('livraison')
  expect(await change('zz')).toMatchObject({ status: 200 })
  expect((await wordsOf(id)).map(({ word }) => word)).toContain('livraisons')
})
