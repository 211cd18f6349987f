import type { HeavyRequest, Targets } from './heavy-requests.ts'
import { until } from '../load.ts'
import { memoryOf, type Rig } from '../rig.ts'
import type { Judge } from '../verdict.ts'

/** Calls the API, and throws what is no success. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Call = (method: 'GET' | 'POST', path: string, body?: object) => Promise<any>

const PERSON = 'long@example.com'
const TEXTS = ['a', 'b', 'c', 'd']
const FIELDS = Array.from({ length: 100 }, (_, n) => `f${n}`)
const RATINGS = Array.from({ length: 149 }, (_, n) => `r${n}`)
const FORMATS = ['csv', 'jsonl', 'xlsx', 'parquet']
const ENDED_MS = 600_000
const MEMORY_MB = 300

/** Files and pages of cells and rows that are as large as they may be. */
export function heavyAnswers({ surveyId }: Pick<Targets, 'surveyId'>): HeavyRequest[] {
  const csv = (name: string, body: string): HeavyRequest[] =>
    ['/v1/people/import', `/v1/surveys/${surveyId}/invite/csv?channel=email`].map((path) => ({
      name: `${name} to ${path.split('/')[2]}`,
      method: 'POST',
      path,
      type: 'text/csv',
      body,
    }))
  return [
    ...csv(
      'CSV of a million empty cells in each line',
      `email,name\n${`a@b.co,x${','.repeat(1_000_000)}\n`.repeat(9)}`,
    ),
    ...csv('CSV with a head after a line end', `"e\n",${RATINGS.join().repeat(1_000)}\nx`),
    ...csv('CSV of cells of signs', `email,name\n${`a@b.co,"${";'=".repeat(340_000)}"\n`.repeat(9)}`),
    { name: 'a page of 500 large responses', method: 'GET', path: '/v1/responses?limit=500' },
  ]
}

export interface Large {
  texts: string
  long: string
}

/** Stores answers that are as large as they may be: 200 KB of texts, and 150 questions beside 100 KB of fields. */
export async function submitLarge(call: Call, answers: number): Promise<Large> {
  const publish = async (survey: object) => {
    const { id } = await call('POST', '/v1/surveys', { metric: null, ...survey })
    await call('POST', `/v1/surveys/${id}/publish`, {})
    return id as string
  }
  const words = (length: number) => 'ab "c", =d; '.repeat(length / 12)
  const texts = await publish({
    name: 'Large texts',
    questions: [
      { id: 'who', type: 'contact', title: 'Who?', fields: ['email'] },
      ...TEXTS.map((id) => ({ id, type: 'open_text', title: 'Why?', max_length: 50_000 })),
    ],
  })
  const long = await publish({
    name: 'Long forms',
    custom_fields: FIELDS,
    questions: RATINGS.map((id) => ({ id, type: 'rating', scale: 5, title: 'How?' })),
  })
  for (let n = 0; n < answers / 10; n++)
    await call('POST', `/public/surveys/${long}/responses`, {
      answers: Object.fromEntries(RATINGS.map((id) => [id, 3])),
      custom_data: Object.fromEntries(FIELDS.map((name) => [name, words(996)])),
    })
  for (let n = 0; n < answers; n++)
    await call('POST', `/public/surveys/${texts}/responses`, {
      answers: { who: { email: PERSON }, ...Object.fromEntries(TEXTS.map((id) => [id, words(49_000)])) },
    })
  return { texts, long }
}

/** A worker writes exports of these answers, the archive of their person, and the report of a large dashboard. */
export async function writeOut(
  { rig, call, judge, say }: { rig: Rig; call: Call; judge: Judge; say(line: string): void },
  loop: { settings: Record<string, string>; take(): number[] },
  { texts, long, reportId }: Large & { reportId: string },
  { measured }: { measured: boolean },
): Promise<void> {
  const worker = rig.start({ ROLE: 'worker', ...loop.settings })
  await worker.url
  const before = memoryOf(worker)
  let memory = before
  const sampler = setInterval(() => (memory = Math.max(memory, memoryOf(worker))), 250)
  const work = [
    ...FORMATS.flatMap((format) => [
      { survey_id: texts, format, options: { answers: 'wide' } },
      { survey_id: texts, format, options: { answers: 'long' } },
      { survey_id: long, format, options: { answers: 'long' } },
    ]).map((body) => ({ path: '/v1/export-runs', body: { source: 'responses', ...body } })),
    { path: '/v1/gdpr/requests', body: { kind: 'access', subject: { email: PERSON } } },
  ]
  const report = `/v1/reports/${reportId}`
  const runs = [
    ...work.map((one) => ({ ...one, shown: one.path })),
    { path: `${report}/run`, body: {}, shown: `${report}/runs` },
  ]
  const worst: Array<{ name: string; ms: number }> = []
  try {
    for (const { path, body, shown } of runs) {
      const name = `${path} ${JSON.stringify(body)}`
      say(name)
      loop.take()
      const { id } = await call('POST', path, body)
      const isEnded = await until(async () => (await call('GET', `${shown}/${id}`)).status === 'completed', ENDED_MS)
      judge.must('every export, archive and report is completed', isEnded, name)
      worst.push({ name, ms: Math.max(0, ...loop.take()) })
    }
  } finally {
    clearInterval(sampler)
  }
  const [most] = worst.toSorted((a, b) => b.ms - a.ms)
  judge.fact('the longest step of the worker, in processor time', `${most?.ms.toFixed(1)} ms, by ${most?.name}`)
  judge.fact('memory of the worker before and at most', `${Math.round(before)} and ${Math.round(memory)} MB`)
  judge.must(
    `memory of the worker grows by no more than ${MEMORY_MB} MB`,
    !measured || memory - before <= MEMORY_MB,
    `${Math.round(before)} MB, then ${Math.round(memory)} MB`,
  )
}
