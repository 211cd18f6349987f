import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { submit } from '../../../../testing/makers.ts'
import { openExports, type ExportHouse } from './export.fixture.ts'

const ROWS = 60
const HOSTILE: string[] = JSON.parse(
  await readFile(new URL('../formats/vectors/csv-injection.json', import.meta.url), 'utf8'),
)
// Signs that part cells, rows and texts, here and on the way from the database.
const WORDS = [...HOSTILE, 'a\u001Eb\u001Fc', '\u001F', '\u2028 😀 é', '\\x1F \\n', '; | \t ,', '"""', "''"].filter(
  (text) => text.trim() !== '',
)
const CHOICES = ['price', 'speed', 'care'].map((id) => ({ id, label: `=${id}, "so"` }))
const IDS = CHOICES.map(({ id }) => id)
const SURVEY = {
  name: 'All',
  metric: 'nps',
  questions: [
    { id: 'score', type: 'nps', title: '=Score', required: true },
    { id: 'place', type: 'slider', title: 'Place', min: -100, max: 100, step: 0.25 },
    { id: 'one', type: 'single', title: 'One', choices: CHOICES, allow_other: true },
    { id: 'many', type: 'multi', title: 'Many', choices: CHOICES, allow_other: true },
    { id: 'rank', type: 'ranking', title: 'Rank', choices: CHOICES },
    { id: 'grid', type: 'matrix', title: 'Grid', rows: CHOICES, columns: CHOICES },
    { id: 'yes', type: 'consent', title: 'Yes' },
    { id: 'day', type: 'date', title: 'Day' },
    { id: 'words', type: 'open_text', title: 'Words' },
    { id: 'who', type: 'contact', title: 'Who', fields: ['name', 'company'] },
  ],
  custom_fields: ['plan'],
}
const ABOUT =
  'id survey_id survey_version state channel language metric score band agent_id person_id started_at completed_at ' +
  // The last is named by nobody, and a member of every object.
  'duration_ms tags quality_flags notes custom.plan custom.constructor'
const WIDE =
  'answer.score answer.place answer.one text.one answer.many.price answer.many.speed answer.many.care answer.many.other ' +
  'text.many answer.rank.price answer.rank.speed answer.rank.care answer.grid.price answer.grid.speed answer.grid.care ' +
  'answer.yes answer.day text.words text.who.name text.who.company'
const LONG = 'question_id question item value text'
const NUMBERS = /^(?:survey_version|score|duration_ms|answer\.(?:score|place|rank\..*))$/

interface Response {
  [field: string]: unknown
  answers: Array<{ question_id: string; value: unknown }>
  text: Array<{ question_id: string; value: unknown }>
  custom_data: Record<string, unknown>
  score: { metric: string; value: number; band: string } | null
}

test('a workbook with more columns than programs open is refused, and told how it fits', async () => {
  const lines = (prefix: string, length: number) =>
    Array.from({ length }, (_, n) => ({ id: `${prefix}${n}`, label: `${n}` }))
  const house = await openExports({
    name: 'Wide',
    metric: null,
    questions: Array.from({ length: 90 }, (_, n) => ({
      id: `q${n}`,
      type: 'multi',
      title: 'T',
      choices: lines('c', 190),
    })),
  })
  const call = (body: object) =>
    house.call('POST', '/v1/export-runs', { source: 'responses', survey_id: house.surveyId, ...body })
  expect(await call({ format: 'xlsx' })).toMatchObject({
    status: 422,
    body: { code: 'too_many_columns', issues: [{ path: 'columns', message: expect.stringContaining('16384') }] },
  })
  expect((await call({ format: 'csv' })).status).toBe(202)
  expect((await call({ format: 'xlsx', options: { answers: 'long' } })).status).toBe(202)
  await house.close()
})

describe.each(['pg', 'pglite'] as const)('with %s', (engine) => {
  let house: ExportHouse
  let responses: Response[]
  beforeAll(async () => {
    house = await openExports(SURVEY, { engine })
    for (const answers of fc.sample(anyAnswers(), { numRuns: ROWS, seed: 7 })) {
      const plan = WORDS[answers.score * 2]
      const { id } = await submit(house.server, house.surveyId, { answers, custom_data: { ...(plan && { plan }) } })
      if (answers.score < 2) await house.call('POST', `/v1/responses/${id}/tags`, { tags: ['=tag, one', 'two'] })
      if (answers.score < 2) await house.call('POST', `/v1/responses/${id}/notes`, { text: WORDS[answers.score] })
    }
    responses = []
    for (let cursor = ''; ;) {
      const { body } = await house.call('GET', `/v1/responses?limit=100${cursor}`)
      responses.unshift(...body.data.toReversed())
      if (body.next_cursor === null) break
      cursor = `&cursor=${body.next_cursor}`
    }
  }, 120_000)
  afterAll(() => house.close())

  test.each([
    ['csv', 'wide', 'ids', ','],
    ['csv', 'wide', 'text', ';'],
    ['csv', 'wide', 'ids', '\t'],
    ['csv', 'long', 'ids', '|'],
    ['csv', 'long', 'text', ','],
    ['jsonl', 'wide', 'ids', ','],
    ['jsonl', 'long', 'text', ','],
  ] as const)(
    'a %s of %s answers with %s is what the API shows, byte for byte',
    async (format, answers, labels, delimiter) => {
      const fields = `${ABOUT} ${answers === 'wide' ? WIDE : LONG}`.split(' ')
      const id = await house.order({
        source: 'responses',
        survey_id: house.surveyId,
        format,
        options: { answers, labels, delimiter, bom: delimiter === ';' },
        columns: fields.map((field) => ({ field, header: field })),
      })
      await house.finish(id)
      expect(responses).toHaveLength(ROWS)
      const lines = responses.flatMap((response) =>
        answers === 'wide' ? [wide(response, labels)] : long(response, labels),
      )
      const expected =
        format === 'jsonl'
          ? lines.map((line) => `${JSON.stringify(Object.fromEntries(fields.map((f) => [f, line[f] ?? null])))}\n`)
          : [fields, ...lines.map((line) => fields.map((field) => cell(field, line[field])))].map(
              (cells) => `${cells.map((each) => quoted(each, delimiter)).join(delimiter)}\r\n`,
            )
      expect(String(Buffer.concat(await house.download(id)))).toBe(
        (delimiter === ';' ? '\uFEFF' : '') + expected.join(''),
      )
    },
  )
})

function anyAnswers() {
  const word = fc.constantFrom(...WORDS)
  const choice = fc.constantFrom(...IDS)
  const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
  return fc
    .record({
      score: fc.integer({ min: 0, max: 10 }),
      place: optional(fc.integer({ min: -400, max: 400 }).map((n) => n / 4)),
      one: optional(
        fc.oneof(
          choice,
          word.map((other) => ({ other })),
        ),
      ),
      many: optional(fc.uniqueArray(choice, { minLength: 1 })),
      rank: optional(fc.shuffledSubarray(IDS, { minLength: IDS.length })),
      grid: optional(fc.record(Object.fromEntries(IDS.map((id) => [id, choice])))),
      yes: optional(fc.boolean()),
      day: optional(fc.constant('2026-03-01')),
      words: optional(word),
      who: optional(fc.record({ name: word, company: word })),
    })
    .map((answers) => JSON.parse(JSON.stringify(answers)) as typeof answers)
}

function about(response: Response): Record<string, unknown> {
  const { score, custom_data } = response
  const own = Object.entries(custom_data).map(([name, value]) => [`custom.${name}`, value])
  return { ...response, metric: score?.metric, score: score?.value, band: score?.band, ...Object.fromEntries(own) }
}

function wide(response: Response, labels: string): Record<string, unknown> {
  const answerOf = (id: string) => response.answers.find((each) => each.question_id === id)?.value
  const said = (value: unknown) =>
    labels === 'text' ? (CHOICES.find(({ id }) => id === value)?.label ?? value) : value
  const line: Record<string, unknown> = about(response)
  for (const id of ['score', 'place', 'one', 'yes', 'day']) line[`answer.${id}`] = said(answerOf(id))
  const many = answerOf('many') as string[] | undefined
  for (const id of [...IDS, 'other']) line[`answer.many.${id}`] = many?.includes(id)
  const rank = answerOf('rank') as string[] | undefined
  for (const id of IDS) line[`answer.rank.${id}`] = rank && rank.indexOf(id) + 1
  for (const id of IDS)
    line[`answer.grid.${id}`] = said((answerOf('grid') as Record<string, unknown> | undefined)?.[id])
  for (const { question_id, value } of response.text)
    if (typeof value === 'string') line[`text.${question_id}`] = value
    else for (const [name, word] of Object.entries(value as object)) line[`text.${question_id}.${name}`] = word
  return line
}

function long(response: Response, labels: string): Array<Record<string, unknown>> {
  const said = (value: unknown) =>
    labels === 'text' ? (CHOICES.find(({ id }) => id === value)?.label ?? value) : value
  const words = new Map(response.text.map(({ question_id, value }) => [question_id, value]))
  const lines: Array<Record<string, unknown>> = []
  const add = (id: string, item: string | null, value: unknown, text: unknown) =>
    lines.push({
      ...about(response),
      question_id: id,
      question: SURVEY.questions.find((question) => question.id === id)?.title,
      item,
      value,
      text,
    })
  for (const { question_id: id, value } of response.answers) {
    if (Array.isArray(value))
      for (const [at, item] of value.entries()) add(id, item, id === 'rank' ? at + 1 : true, null)
    else if (typeof value === 'object' && value)
      for (const [item, one] of Object.entries(value)) add(id, item, said(one), null)
    else {
      add(id, null, said(value), words.get(id))
      words.delete(id)
    }
  }
  for (const [id, value] of words)
    if (typeof value === 'string') add(id, null, null, value)
    else for (const [name, word] of Object.entries(value as object)) add(id, name, null, word)
  return lines
}

function cell(field: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' && NUMBERS.test(field)) return String(value)
  const isList = Array.isArray(value) && value.every((each) => typeof each === 'string')
  const text = isList ? value.join('; ') : typeof value === 'object' ? JSON.stringify(value) : String(value)
  return guardedByHand(text)
}

// A sign begins a cell at the start of a text, and of each line of it. Quotes before it do not count.
function guardedByHand(text: string): string {
  return [...text]
    .map((letter, at, letters) => {
      const isFirst = at === 0
      if (!isFirst && !'\r\n'.includes(letters[at - 1] ?? ' ')) return letter
      const sign = letters.slice(at).find((each) => each !== '"') ?? ' '
      const runs = "=+-@＝＋－＠﹦﹢﹣﹫\t'".includes(sign) || (isFirst && '\r\n'.includes(sign))
      return runs ? `'${letter}` : letter
    })
    .join('')
}

function quoted(text: string, delimiter: string): string {
  const isSpecial = text !== text.trim() || [...text].some((sign) => `"\r\n${delimiter}`.includes(sign))
  return isSpecial ? `"${text.split('"').join('""')}"` : text
}
