import { afterAll, beforeAll, expect, test } from 'vitest'
import { READ_BYTES, type ExportKey, type ExportLine } from '../../../../platform/export-source.ts'
import { parseId, type Id } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { makeLiveSurvey, submit } from '../../../../testing/makers.ts'
import { inWorkspace } from '../../../../testing/send-fixture.ts'
import { runSweep } from '../../../../testing/fixtures.ts'
import { newTextsSweep } from '../../../answers/verbatim/classify/verbatim.sweeps.ts'
import { openContact, sealContact } from '../../../programme/leads/contact.ts'
import type { LeadRow } from '../../../programme/leads/lead.entity.ts'
import { lockLead, updateLead } from '../../../programme/leads/leads.store.ts'
import { EXPORT_SOURCES } from '../definition/sources.service.ts'
import type { SourceName } from '../definition/sources.ts'
import { openExports, type ExportHouse } from './export.fixture.ts'

const SPEC = {
  surveyId: null,
  filter: null,
  answers: 'wide',
  labels: 'ids',
  language: null,
  shows: ['people.manage', 'leads.manage'],
  snapshotAt: new Date('2100-01-01'),
} as const
const QUESTIONS = ['a', 'b', 'c', 'd']
const ROWS = 14
const LONG = 'ab "c", =d; '.repeat(4_000)

let house: ExportHouse
beforeAll(async () => {
  house = await openExports()
})
afterAll(() => house.close())

/** Reads all keys as a run does. Returns the keys of each time, and what was read. */
async function readAll(source: SourceName, fields: string[]): Promise<{ pages: number[]; lines: ExportLine[] }> {
  return inWorkspace(house.server, house.workspace, async (scope: Scope) => {
    const { select, read } = EXPORT_SOURCES[source]
    const spec = { ...SPEC, shows: [...SPEC.shows] }
    const found = await scope.read(async (tx) => tx.many(await select(scope, tx, spec)))
    let left: ExportKey[] = found.toSorted((a, b) => (`${a.id} ${a.member}` < `${b.id} ${b.member}` ? -1 : 1))
    const pages = []
    const lines: ExportLine[] = []
    while (left.length > 0) {
      const { rows, done } = await scope.read((tx) => read(scope, tx, left, spec, fields))
      let bytes = 0
      for (const row of rows)
        for (const line of row) {
          lines.push(line)
          bytes += JSON.stringify(line).length
        }
      expect(bytes).toBeLessThan(2 * READ_BYTES)
      pages.push(done)
      left = left.slice(done)
    }
    return { pages, lines }
  })
}

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
  const { pages, lines } = await readAll('responses', ['id', ...QUESTIONS.map((id) => `text.${id}`)])
  expect(lines).toEqual(ids.toSorted().map((id) => [id, ...QUESTIONS.map(() => LONG)]))
  expect(pages.length).toBeGreaterThan(2)

  await runSweep(house.server, newTextsSweep([]))
  const texts = await readAll('verbatim', ['response_id', 'question_id', 'text'])
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

test('people of many long attributes and leads of long notes are read a few at a time', async () => {
  const attributes = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`a${n}`, 'x'.repeat(1_000)]))
  const people = Array.from({ length: 25 }, (_, n) => ({ external_id: `p${n}`, attributes }))
  for (const person of people) expect((await house.call('POST', '/v1/people', person)).status).toBe(201)
  const read = await readAll('people', ['external_id', 'attributes'])
  expect(read.lines).toHaveLength(25)
  expect(read.lines).toContainEqual(['p7', attributes])
  expect(read.pages.length).toBeGreaterThan(2)

  const note = { text: '\u6f22'.repeat(5_000), author: null, created_at: '2026-03-02T10:00:00.000Z' }
  for (let n = 0; n < 3; n++) {
    const made = await house.call('POST', '/v1/leads', { name: `Lead ${n}`, email: `l${n}@example.com` })
    const id = parseId('lead', made.body.id) as Id<'lead'>
    await inWorkspace(house.server, house.workspace, (scope) =>
      scope.tx(async (tx) => {
        const row = (await lockLead(tx, id)) as LeadRow
        const contact = {
          ...openContact(scope.secrets, id, row.contact),
          notes: Array.from({ length: 40 }, () => note),
        }
        await updateLead(tx, { ...row, contact: sealContact(scope.secrets, id, contact) })
      }),
    )
  }
  const leads = await readAll('leads', ['name'])
  expect(leads.lines).toEqual([['Lead 0'], ['Lead 1'], ['Lead 2']])
  expect(leads.pages).toEqual([2, 1])
})
