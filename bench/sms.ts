import { createHmac } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Agent, request } from 'undici'
import { startProcess } from '../src/testing/process.ts'
import { createApi, untilReady, type Api } from './parts/load.ts'
import { cpuOf, cpuOfPostgres } from './parts/processes.ts'
import { machine, openRig, percentile, say, SECRETS_KEY, verdict } from './parts/rig.ts'

// Turns of conversations by SMS: signed callbacks over HTTP to one server process on PostgreSQL, each turn one
// transaction. First as many turns as there can be: so many people, each writing the next message the moment the last
// was answered. Then the same people as fast as nobody types: each reads and writes for half a second on average before
// the next message.
const TOKEN = 'tok_bench'
const THINK_MS = 500
const TALK = ['NPS', '9/10', 'the service', 'Quick and friendly, though the parcel came a day late.']

const { values: options } = parseArgs({
  options: {
    conversations: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '20' },
    profile: { type: 'string', default: '' },
  },
})
const [conversations, seconds] = [Number(options.conversations), Number(options.seconds)]

const rig = await openRig()
const server = startProcess({
  DATABASE_URL: rig.postgres?.url('postgres') ?? '',
  SECRETS_KEY,
  LOG_LEVEL: 'error',
  ROLE: 'api',
  TWILIO_AUTH_TOKEN: TOKEN,
  ...(options.profile && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${options.profile}` }),
})
process.on('exit', () => void server.kill('SIGTERM'))
const base = await server.url
await untilReady(base)
const api = createApi(base)
const agent = new Agent({ connections: conversations, pipelining: 1 })
const number = await openNumber(api)
let people = 0
let messages = 0

say(
  `${machine()}; ${conversations} conversations of ${TALK.length} turns each at the same time; the load comes from here.\n`,
)
await hold(5, 0)
const before = cpu()
const most = await hold(seconds, 0)
const after = cpu()
const perTurn = (part: keyof typeof after) =>
  `${(((after[part] - before[part]) / most.latencies.length) * 1e6).toFixed(0)} µs`
say(`nobody thinks: ${most.latencies.length} turns, ${most.completed} completed conversations`)
say(`      turns a second: ${(most.latencies.length / (most.elapsedMs / 1000)).toFixed(0)}`)
say(
  `      CPU of a turn: ${perTurn('server')} of the server, ${perTurn('postgres')} of PostgreSQL, ${perTurn('load')} of the load`,
)
say(`      p50 ${percentile(most.latencies, 50).toFixed(1)} ms, p99 ${percentile(most.latencies, 99).toFixed(1)} ms\n`)

const typing = await hold(seconds, THINK_MS)
say(
  `each thinks for ${THINK_MS / 1000} s: ${typing.latencies.length} turns, ${(typing.latencies.length / (typing.elapsedMs / 1000)).toFixed(0)} a second`,
)
say(`      p50 ${percentile(typing.latencies, 50).toFixed(1)} ms`)
verdict(
  `p99 of a turn under ${conversations} concurrent conversations, ms`,
  percentile(typing.latencies, 99),
  { atMost: 100 },
  1,
)

const stored = await rig.services.database.asOwner((owner) =>
  owner.query<{ state: string; n: number }>(
    'select state, count(*)::int as n from responses group by state order by state',
  ),
)
say(`      responses: ${stored.map(({ state, n }) => `${n} ${state}`).join(', ')}`)

await agent.close()
await api.close()
await server.kill('SIGTERM')
await rig.close()

function cpu(): { server: number; postgres: number; load: number } {
  const { user, system } = process.cpuUsage()
  return { server: cpuOf(server.pid), postgres: cpuOfPostgres(rig.postmaster ?? 0), load: (user + system) / 1e6 }
}

interface Held {
  latencies: number[]
  elapsedMs: number
  completed: number
}

async function hold(forSeconds: number, thinkMs: number): Promise<Held> {
  const held: Held = { latencies: [], elapsedMs: 0, completed: 0 }
  const started = performance.now()
  const end = started + forSeconds * 1000
  await Promise.all(
    Array.from({ length: conversations }, async () => {
      // Not all at once.
      await pause(thinkMs * Math.random())
      while (performance.now() < end) await converse(held, thinkMs)
    }),
  )
  held.elapsedMs = performance.now() - started
  return held
}

async function converse(held: Held, thinkMs: number): Promise<void> {
  const from = `+1500${String(5_600_000 + (people += 1))}`
  let reply = ''
  for (const body of TALK) {
    const began = performance.now()
    reply = await text(from, body)
    held.latencies.push(performance.now() - began)
    if (thinkMs > 0) await pause(thinkMs * (0.5 + Math.random()))
  }
  if (!reply.includes('Thank you')) throw new Error(`a conversation ended with ${reply}`)
  held.completed += 1
}

async function text(from: string, body: string): Promise<string> {
  const form = {
    Body: body,
    From: from,
    MessageSid: `SM${String((messages += 1)).padStart(32, '0')}`,
    NumMedia: '0',
    SmsStatus: 'received',
    To: number,
  }
  const url = `${base}/public/twilio/sms`
  const signed = Object.entries(form).reduce((all, [name, value]) => all + name + value, url)
  const signature = createHmac('sha1', TOKEN).update(signed).digest('base64')
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature }
  const answer = await request(url, {
    method: 'POST',
    headers,
    body: new URLSearchParams(form).toString(),
    dispatcher: agent,
  })
  const twiml = await answer.body.text()
  if (answer.statusCode !== 200) throw new Error(`a turn answered ${answer.statusCode}: ${twiml}`)
  return twiml
}

async function openNumber(target: Api): Promise<string> {
  const sender = '+15005550006'
  const { token } = await target.post<{ token: string }>('/public/workspaces', {
    workspace_name: 'Bench',
    name: 'Bench',
    email: 'bench@example.com',
    password: 'a long password',
  })
  await target.post('/v1/webhooks', { url: `${rig.receiver.url}/hooks` }, token)
  const survey = await target.post<{ id: string }>(
    '/v1/surveys',
    {
      name: 'After delivery',
      metric: 'nps',
      questions: [
        { id: 'q1', type: 'nps', title: 'How likely are you to recommend us?', required: true },
        {
          id: 'q2',
          type: 'single',
          title: 'What made you say {{answer.q1}}?',
          choices: [
            { id: 'price', label: 'Price' },
            { id: 'service', label: 'Service' },
          ],
          required: true,
        },
        { id: 'q3', type: 'open_text', title: 'Tell us more' },
      ],
    },
    token,
  )
  await target.post(`/v1/surveys/${survey.id}/publish`, {}, token)
  await target.post(
    '/v1/inbound-numbers',
    { number: sender, keywords: [{ keyword: 'NPS', survey_id: survey.id }] },
    token,
  )
  return sender
}
