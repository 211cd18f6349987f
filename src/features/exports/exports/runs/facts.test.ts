import { afterAll, beforeAll, expect, test } from 'vitest'
import { runSweep } from '../../../../testing/fixtures.ts'
import { submit } from '../../../../testing/makers.ts'
import { newTextsSweep } from '../../../answers/verbatim/verbatim.feature.ts'
import { openExports, type ExportHouse } from './export.fixture.ts'

const SURVEY = {
  name: 'After delivery',
  metric: 'nps',
  questions: [
    { id: 'q1', type: 'nps', title: 'T' },
    { id: 'good', type: 'open_text', title: 'T' },
    { id: 'bad', type: 'open_text', title: 'T' },
  ],
}

let house: ExportHouse
beforeAll(async () => {
  house = await openExports(SURVEY)
})
afterAll(() => house.close())

test('each response has the team of its agent, and the topics and sentiments of its texts', async () => {
  const agent = await house.call('POST', '/v1/agents', { name: 'Grace', team: 'North' })
  const said = await submit(house.server, house.surveyId, {
    answers: {
      q1: 3,
      good: 'Wonderful, I love it. Great and friendly support!',
      bad: 'Terrible delivery. It was bad, slow and late.',
    },
  })
  await house.call('PATCH', `/v1/responses/${said.id}`, { agent_id: agent.body.id })
  const silent = await submit(house.server, house.surveyId, { answers: { q1: 9 } })
  await runSweep(house.server, newTextsSweep)
  await house.call('PATCH', `/v1/verbatim/${said.id}/good`, { sentiment: 'positive' })
  const { body } = await house.call('GET', '/v1/verbatim')
  const names = body.data.flatMap(({ topics }: { topics: Array<{ name: string }> }) => topics.map(({ name }) => name))
  expect(names).toContain('Delivery')
  const topics = [...new Set<string>(names)].toSorted()
  for (const answers of ['wide', 'long']) {
    const rows = await exported({ source: 'responses', options: { answers } }, ['id', 'team', 'topic', 'sentiment'])
    expect(rows).toContainEqual({ id: said.id, team: 'North', topic: topics, sentiment: ['negative', 'positive'] })
    expect(rows).toContainEqual({ id: silent.id, team: null, topic: [], sentiment: [] })
  }
  const [file] = await house.download(await finished({ source: 'responses', format: 'csv' }))
  expect(String(file)).toContain(`,North,${topics.join('; ')},negative; positive,`)
})

test('a column may have the name of the filter that tests one member of its list', async () => {
  const fields = ['response_id', 'tag', 'topic']
  expect(Object.keys((await exported({ source: 'verbatim' }, fields))[0] ?? {})).toEqual(fields)
  await exported({ source: 'leads' }, ['tag'])
  await exported({ source: 'responses', survey_id: house.surveyId }, ['tag', 'quality_flag', 'text'])
})

async function exported(order: object, fields: string[]): Promise<Array<Record<string, unknown>>> {
  const id = await finished({ ...order, format: 'jsonl', columns: fields.map((field) => ({ field })) })
  const [file] = await house.download(id)
  return String(file)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

async function finished(order: object): Promise<string> {
  const id = await house.order(order)
  expect(await house.finish(id)).toMatchObject({ status: 'completed' })
  return id
}
