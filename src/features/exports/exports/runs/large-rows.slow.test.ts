import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeLiveSurvey, submit } from '../../../../testing/makers.ts'
import { runSweep } from '../../../../testing/fixtures.ts'
import { newTextsSweep } from '../../../answers/verbatim/verbatim.feature.ts'
import { openExports, readAll, type ExportHouse } from './export.fixture.ts'

const QUESTIONS = ['a', 'b', 'c', 'd']
const ROWS = 14
const LONG = 'ab "c", =d; '.repeat(4_000)

let house: ExportHouse
beforeAll(async () => {
  house = await openExports()
})
afterAll(() => house.close())

test('large responses and their texts are read a few at a time, each once and in order', async () => {
  const surveyId = await makeLiveSurvey(house.server, house.workspace, {
    name: 'Long',
    metric: null,
    questions: QUESTIONS.map((id) => ({ id, type: 'open_text', title: 'Why?', max_length: 50_000 })),
  })
  const ids = []
  for (let n = 0; n < ROWS; n++)
    ids.push(
      (await submit(house.server, surveyId, { answers: Object.fromEntries(QUESTIONS.map((id) => [id, LONG])) })).id,
    )
  const { pages, lines } = await readAll(house, 'responses', ['id', ...QUESTIONS.map((id) => `text.${id}`)])
  expect(lines).toEqual(ids.toSorted().map((id) => [id, ...QUESTIONS.map(() => LONG)]))
  expect(pages.length).toBeGreaterThan(2)

  await runSweep(house.server, newTextsSweep)
  const texts = await readAll(house, 'verbatim', ['response_id', 'question_id', 'text'])
  expect(texts.lines).toEqual(ids.toSorted().flatMap((id) => QUESTIONS.map((question) => [id, question, LONG])))
  expect(texts.pages.length).toBeGreaterThan(2)

  const run = await house.order({
    source: 'responses',
    survey_id: surveyId,
    format: 'jsonl',
    options: { answers: 'long' },
  })
  expect(await house.finish(run)).toMatchObject({ status: 'completed', progress: { rows: ROWS * QUESTIONS.length } })
  const cells = Buffer.concat(await house.download(run))
    .toString()
    .trimEnd()
    .split('\n')
  expect(cells.map((cell) => JSON.parse(cell).id)).toEqual(ids.toSorted().flatMap((id) => QUESTIONS.map(() => id)))
})
