import { parseArgs } from 'node:util'
import { startProcess } from '../src/testing/process.ts'
import { createApi, untilReady } from './parts/load.ts'
import { machine, median, openRig, say, SECRETS_KEY, verdict } from './parts/rig.ts'

// The cost of 50 enabled alert rules for those who complete a response. The rules look at score, words, custom data and
// answers, and none of them fires. One server process (API and worker in one), and the load from here, in turns.
const RULES = 50
const IN_FLIGHT = 16

const { values: options } = parseArgs({
  options: { pairs: { type: 'string', default: '9' }, seconds: { type: 'string', default: '3' } },
})

const rig = await openRig()
const server = startProcess({ DATABASE_URL: rig.postgres?.url('postgres') ?? '', SECRETS_KEY, LOG_LEVEL: 'error' })
process.on('exit', () => void server.kill('SIGKILL'))
const base = await server.url
await untilReady(base)
const api = createApi(base)
say(
  `${machine()}; ${IN_FLIGHT} respondents at a time, each turn ${options.seconds} s; PostgreSQL over a Unix socket.\n`,
)

const [plain, ruled] = [await openSurvey(0), await openSurvey(RULES)]
await complete(plain, 2)
await complete(ruled, 2)
const ratios: number[] = []
for (let pair = 0; pair < Number(options.pairs); pair++) {
  const order = pair % 2 === 0 ? [plain, ruled] : [ruled, plain]
  const took = new Map<string, number>()
  for (const surveyId of order) took.set(surveyId, await complete(surveyId, Number(options.seconds)))
  const [without, under] = [took.get(plain) ?? NaN, took.get(ruled) ?? NaN]
  ratios.push(under / without)
  say(`      a completed response: ${without.toFixed(2)} ms without rules, ${under.toFixed(2)} ms with ${RULES}`)
}
verdict(`completing with ${RULES} rules against none, median of ${options.pairs} pairs`, median(ratios), {
  atMost: 1.15,
})

await api.close()
await server.kill('SIGKILL')
await rig.close()

/** Milliseconds of server time for each response: the time of the turn by its responses. */
async function complete(surveyId: string, seconds: number): Promise<number> {
  const started = performance.now()
  const end = started + seconds * 1000
  let done = 0
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      while (performance.now() < end) {
        const body = { answers: { q1: 9, q2: 'Quick and friendly.' }, custom_data: { plan: 'pro' } }
        await api.post(`/public/surveys/${surveyId}/responses`, body)
        done += 1
      }
    }),
  )
  return (performance.now() - started) / done
}

async function openSurvey(rules: number): Promise<string> {
  const { token } = await api.post<{ token: string }>('/public/workspaces', {
    workspace_name: 'Bench',
    name: 'Bench',
    email: `bench-${rules}@example.com`,
    password: 'a long password',
  })
  const survey = await api.post<{ id: string }>(
    '/v1/surveys',
    {
      name: 'After delivery',
      metric: 'nps',
      questions: [
        { id: 'q1', type: 'nps', title: 'How likely are you to recommend us?', required: true },
        { id: 'q2', type: 'open_text', title: 'Why?' },
      ],
      custom_fields: ['plan'],
    },
    token,
  )
  await api.post(`/v1/surveys/${survey.id}/publish`, {}, token)
  for (let n = 0; n < rules; n++) {
    const filter = {
      all: [
        {
          any: [
            { field: 'score', op: 'gte', value: 7 },
            { field: 'band', op: 'eq', value: 'detractor' },
          ],
        },
        { field: 'custom.plan', op: 'one_of', value: ['pro', 'team'] },
        { field: 'text', op: 'contains', value: `word ${n}` },
        { field: 'answer.q1', op: 'lte', value: 6 },
      ],
    }
    await api.post('/v1/alert-rules', { name: `Rule ${n}`, trigger: { on: 'response', filter } }, token)
  }
  return survey.id
}
