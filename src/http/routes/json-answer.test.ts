import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createWorkspace } from '../../testing/fixtures.ts'
import { startTestServer } from '../../testing/harness.ts'
import { makeLiveSurvey, submit } from '../../testing/makers.ts'
import { writeAnswer } from './json-answer.ts'

const textOf = (written: string | Buffer[]) =>
  typeof written === 'string' ? written : Buffer.concat(written).toString()

test('an answer is written as JSON.stringify writes it', async () => {
  const value = fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.date({ noInvalidDate: true }))
  const answers = fc.oneof(fc.dictionary(fc.string(), fc.oneof(value, fc.array(value))), fc.array(value))
  await fc.assert(
    fc.asyncProperty(answers, async (answer) => {
      expect(textOf(await writeAnswer(answer))).toBe(JSON.stringify(answer))
    }),
    { numRuns: 500, seed: 6 },
  )
})

test('a page of large rows is written row by row', async () => {
  let written = 0
  const rows = Array.from({ length: 100 }, (_, n) => ({
    n,
    text: 'é'.repeat(200_000),
    toJSON() {
      written += 1
      return { n, text: this.text }
    },
  }))
  const turns: number[] = []
  const counting = setInterval(() => turns.push(written), 0)
  const pieces = (await writeAnswer({ data: rows, next_cursor: null })) as Buffer[]
  clearInterval(counting)
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(600_000)
  expect(JSON.parse(textOf(pieces)).data).toHaveLength(100)
  expect(turns.filter((n) => n > 0 && n < 100).length).toBeGreaterThan(0)
})

test('a page of large responses is sent in pieces, with its length', async () => {
  const server = await startTestServer()
  const workspace = await createWorkspace(server)
  const surveyId = await makeLiveSurvey(server, workspace, {
    name: 'Long',
    metric: null,
    questions: ['a', 'b', 'c', 'd'].map((id) => ({ id, type: 'open_text', title: 'Why?', max_length: 50_000 })),
  })
  const answers = Object.fromEntries(['a', 'b', 'c', 'd'].map((id) => [id, 'é'.repeat(25_000)]))
  for (let n = 0; n < 8; n++) await submit(server, surveyId, { answers })
  const list = await server.app.fetch(
    new Request('http://localhost/v1/responses?limit=100', { headers: { authorization: `Bearer ${workspace.token}` } }),
  )
  const pieces: Uint8Array[] = []
  for await (const piece of list.body ?? []) pieces.push(piece as Uint8Array)
  const whole = Buffer.concat(pieces)
  expect(list.headers.get('content-type')).toBe('application/json')
  expect(list.headers.get('content-length')).toBe(`${whole.length}`)
  expect(JSON.parse(whole.toString()).data).toHaveLength(8)
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(600_000)
  await server.close()
})
