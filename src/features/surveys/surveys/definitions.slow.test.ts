import { afterAll, beforeAll, expect, test } from 'vitest'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createWorkspace, type TestWorkspace } from '../../../testing/fixtures.ts'
import { cloneDatabase, startTestServer, type TestServer } from '../../../testing/harness.ts'
import { publishSurvey, submit } from '../../../testing/survey-fixtures.ts'

const VERSIONS = 10
// A reader of many leaves no definition of this size in the cache.
const LARGE = 65_536
const FEW = 8
// Two pages are made at once, and one may wait to be sent.
const PAGES = 3 * VERSIONS + 1

let database: Awaited<ReturnType<typeof cloneDatabase>>
let server: TestServer
let owner: TestWorkspace
let surveyId: string
beforeAll(async () => {
  database = await cloneDatabase()
  server = await startTestServer({ databaseUrl: database.url })
  owner = await createWorkspace(server)
  surveyId = await publishSurvey(server, owner.token, { questions: questionsOf(0) })
  await submit(server, surveyId, answerOf(0))
  for (let version = 1; version < VERSIONS; version++) {
    await publishVersion(version)
    await submit(server, surveyId, answerOf(version))
  }
})
afterAll(async () => {
  await server.close()
  await database.drop()
})

async function publishVersion(version: number): Promise<void> {
  const body = { questions: questionsOf(version) }
  await server.request('PATCH', `/v1/surveys/${surveyId}`, { token: owner.token, body })
  const published = await server.request('POST', `/v1/surveys/${surveyId}/publish`, { token: owner.token })
  expect(published.body, published.text).toMatchObject({ version: version + 1 })
}

interface Asked {
  path: string
  body?: object
}

const answerOf = (version: number) => ({ n1: 9, [`q${version}_1`]: ['c1'] })
const questionsOf = (version: number) => [
  { id: 'n1', type: 'nps', title: `How likely, ${version}?` },
  ...Array.from({ length: 16 }, (_, n) => ({
    id: `q${version}_${n}`,
    type: 'multi',
    title: 'Which?',
    choices: Array.from({ length: 30 }, (__, at) => ({ id: `c${at}`, label: 'x'.repeat(120) })),
  })),
]

const get = (path: string): Asked => ({ path })
const post = (path: string, body: object): Asked => ({ path, body })
const preview = (more: object) => post('/v1/export-runs/preview', { source: 'responses', format: 'csv', ...more })

test.each([
  ['fields', FEW, () => get(`/v1/fields?entity=responses&survey_id=${surveyId}`)],
  ['fields of words', FEW, () => get(`/v1/fields?entity=verbatim&survey_id=${surveyId}`)],
  ['values', FEW, () => get(`/v1/values?entity=responses&field=answer.q3_1&survey_id=${surveyId}`)],
  ['versions', PAGES, () => get(`/v1/surveys/${surveyId}/versions`)],
  // It leaves the version of each row in the cache.
  ['a preview', VERSIONS + 2, () => preview({ survey_id: surveyId, options: { answers: 'long' } })],
])('twenty requests at once for %s hold few parsed definitions', async (_name, few, request) => {
  const parsed = await sendTwenty(request())
  expect(parsed.total).toBeGreaterThanOrEqual(VERSIONS)
  expect(parsed.most).toBeLessThan(few)
})

test('twenty reports at once parse each version once', async () => {
  const parsed = await sendTwenty(get(`/v1/surveys/${surveyId}/report`))
  expect(parsed.total).toBe(VERSIONS)
})

/** Sends a request to a process that has read no definition yet. */
async function sendTwenty({ path, body }: Asked): Promise<{ total: number; most: number }> {
  const fresh = await startTestServer({ databaseUrl: database.url })
  const url = await fresh.listen()
  const init = {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  }
  const parsed = countParsed()
  try {
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const answer = await fetch(url + path, init)
        await answer.arrayBuffer()
        return answer.status
      }),
    )
    expect(answers).toEqual(Array.from({ length: 20 }, () => 200))
    return { total: parsed.total(), most: parsed.most() }
  } finally {
    parsed.stop()
    await fresh.close()
  }
}

/** Counts large definitions that were parsed and are still held, now and then. */
function countParsed() {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const parse = JSON.parse
  const refs: Array<WeakRef<object>> = []
  let most = 0
  // A mock would keep all results.
  JSON.parse = (text: string, ...more) => {
    const value = parse(text, ...more) as unknown
    if (text.length > LARGE && typeof value === 'object' && value !== null && 'questions' in value) {
      refs.push(new WeakRef(value))
      // Past the present job, which keeps what a reference was asked for.
      if (refs.length % 20 === 0) setImmediate(look)
    }
    return value
  }
  function look() {
    collect()
    most = Math.max(most, refs.filter((ref) => ref.deref() !== undefined).length)
  }
  return { total: () => refs.length, most: () => most, stop: () => void (JSON.parse = parse) }
}
