import { parseArgs } from 'node:util'
import { startProcess } from '../src/testing/process.ts'
import { createApi, openArrival, untilReady, type Api } from './parts/load.ts'
import { machine, median, openRig, percentile, say, SECRETS_KEY, verdict } from './parts/rig.ts'

// From a completed response to the signed request at its target, and what hanging endpoints cost those who answer
// a survey: a server process (API and worker in one), a receiver process, and the load from here.
const PER_SECOND = 200
const PAIRS = 5
const ENDPOINTS = 10

const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '20' }, 'pair-seconds': { type: 'string', default: '8' } },
})

const rig = await openRig()
const server = startProcess({ DATABASE_URL: rig.postgres?.url('postgres') ?? '', SECRETS_KEY, LOG_LEVEL: 'error' })
process.on('exit', () => void server.kill('SIGKILL'))
const base = await server.url
await untilReady(base)
const api = createApi(base)
say(
  `${machine()}; ${PER_SECOND} completed responses a second by open arrival; PostgreSQL over a Unix socket, a pool of 20, pipelined; nothing waiting at the start.\n`,
)

const one = await openSurvey(api, [`${rig.receiver.url}/timed`])
await submit(one, 3)
await rig.receiver.ask('latencies')
await submit(one, Number(options.seconds))
const { latencies } = await rig.receiver.ask<{ latencies: number[] }>('latencies')
say(`completed response to signed request received, ${latencies.length} of them`)
verdict('p50, ms', percentile(latencies, 50), { atMost: 10 }, 1)
verdict('p99, ms', percentile(latencies, 99), { atMost: 50 }, 1)

const calm = await openSurvey(api, urls('hooks'))
const hanging = await openSurvey(api, urls('hang'))
const ratios: number[] = []
for (let pair = 0; pair < PAIRS; pair++) {
  const [first, second] = pair % 2 === 0 ? [calm, hanging] : [hanging, calm]
  const [one, two] = [
    await submit(first, Number(options['pair-seconds'])),
    await submit(second, Number(options['pair-seconds'])),
  ]
  const [calmP99, hangingP99] =
    pair % 2 === 0 ? [percentile(one, 99), percentile(two, 99)] : [percentile(two, 99), percentile(one, 99)]
  ratios.push(hangingP99 / calmP99)
  say(
    `      capture p99 with ${ENDPOINTS} endpoints: all answer ${calmP99.toFixed(1)} ms, all hang ${hangingP99.toFixed(1)} ms`,
  )
}
verdict('capture p99 with every endpoint hanging against calm, median of five pairs', median(ratios), { atMost: 1.3 })

await api.close()
await server.kill('SIGKILL')
await rig.close()

function urls(behaviour: string): string[] {
  return Array.from({ length: ENDPOINTS }, (_, i) => `${rig.receiver.url}/${behaviour}/${i}`)
}

async function submit(surveyId: string, seconds: number): Promise<number[]> {
  return openArrival(PER_SECOND, seconds, (n) =>
    api.post(`/public/surveys/${surveyId}/responses`, { answers: { q1: n % 11, q2: 'Quick and friendly.' } }),
  )
}

async function openSurvey(target: Api, endpoints: string[]): Promise<string> {
  const email = `bench-${endpoints.length}-${Math.random().toString(36).slice(2)}@example.com`
  const { token } = await target.post<{ token: string }>('/public/workspaces', {
    workspace_name: 'Bench',
    name: 'Bench',
    email,
    password: 'a long password',
  })
  for (const url of endpoints) await target.post('/v1/webhooks', { url }, token)
  const survey = await target.post<{ id: string }>(
    '/v1/surveys',
    {
      name: 'After delivery',
      metric: 'nps',
      default_language: 'en',
      questions: [
        { id: 'q1', type: 'nps', title: 'How likely are you to recommend us?', required: true },
        { id: 'q2', type: 'open_text', title: 'Why?' },
      ],
    },
    token,
  )
  await target.post(`/v1/surveys/${survey.id}/publish`, {}, token)
  return survey.id
}
