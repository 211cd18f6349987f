import { expect, test } from 'vitest'
import { createWorkspace } from '../../../../testing/fixtures.ts'
import { cloneDatabase, startTestServer } from '../../../../testing/harness.ts'
import { publishSurvey, submit } from '../../../../testing/survey-fixtures.ts'

// Three of these definitions are more than one read holds.
const VERSIONS = 4
const questionsOf = (version: number) => [
  { id: 'q1', type: 'nps', title: 'How likely?' },
  ...Array.from({ length: 90 }, (_, n) => ({
    id: `v${version}_${n}`,
    type: 'single',
    title: 'Which?',
    choices: Array.from({ length: 10 }, (__, at) => ({ id: `c${at}`, label: 'x'.repeat(400) })),
  })),
]

test('responses to several large versions are read in parts, and each is there once', async () => {
  const database = await cloneDatabase()
  const office = await startTestServer({ databaseUrl: database.url })
  // A process that has read no definition yet.
  const fresh = await startTestServer({ databaseUrl: database.url })
  try {
    const { token } = await createWorkspace(office)
    const id = await publishSurvey(office, token, { questions: questionsOf(0) })
    await submit(office, id, { q1: 0, v0_7: 'c1' })
    for (let version = 1; version < VERSIONS; version++) {
      await office.request('PATCH', `/v1/surveys/${id}`, { token, body: { questions: questionsOf(version) } })
      await office.request('POST', `/v1/surveys/${id}/publish`, { token })
      await submit(office, id, { q1: version, [`v${version}_7`]: 'c1' })
    }
    const columns = [{ field: 'survey_version' }, { field: 'answer.q1' }, { field: 'answer.v3_7' }]
    const body = { source: 'responses', survey_id: id, format: 'csv', columns }
    const preview = await fresh.request('POST', '/v1/export-runs/preview', { token, body })
    expect(preview.body.rows, preview.text).toEqual([
      ['4', '3', 'c1'],
      ['3', '2', ''],
      ['2', '1', ''],
      ['1', '0', ''],
    ])
    expect(fresh.statements.filter(({ text }) => text.includes('string_agg(cells')).length).toBe(2)
  } finally {
    await office.close()
    await fresh.close()
    await database.drop()
  }
})
