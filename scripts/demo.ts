// The main job in one terminal: a response becomes a signed, delivered webhook. Runs a real server on a
// database of its own in a temporary directory, talks to it over HTTP only, and leaves nothing behind.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createSocket, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'

const RESPONSES = [
  {
    answers: { q1: 10, q2: 'speed', q3: 'Arrived a day early, and the driver waited while I signed.' },
    custom_data: { plan: 'pro' },
  },
  { answers: { q1: 9, q2: { other: 'The packaging' } }, custom_data: { plan: 'free' } },
  { answers: { q1: 8, q2: 'price' }, custom_data: { plan: 'pro' } },
  {
    answers: { q1: 3, q3: 'Second time that the box was crushed. Please call me.' },
    custom_data: { plan: 'free' },
    language: 'de',
  },
]
const SURVEY = {
  name: 'After delivery',
  metric: 'nps',
  default_language: 'en',
  questions: [
    {
      id: 'q1',
      type: 'nps',
      title: { en: 'How likely are you to recommend us?', de: 'Wie wahrscheinlich empfehlen Sie uns weiter?' },
      required: true,
    },
    {
      id: 'q2',
      type: 'single',
      title: { en: 'What mattered most?', de: 'Was war am wichtigsten?' },
      choices: [
        { id: 'price', label: { en: 'Price', de: 'Preis' } },
        { id: 'speed', label: { en: 'Speed', de: 'Tempo' } },
      ],
      allow_other: true,
    },
    { id: 'q3', type: 'open_text', title: { en: 'Tell us more', de: 'Erzählen Sie mehr' }, format: 'text' },
  ],
  logic: [{ when: { all: [{ question: 'q1', op: 'lte', value: 6 }] }, then: [{ action: 'jump', to: 'q3' }] }],
  custom_fields: ['plan'],
}
const DEADLINE_MS = 60_000

const folder = await mkdtemp(join(tmpdir(), 'earshot-demo-'))
const port = await freePort()
const base = `http://127.0.0.1:${port}`
const server = spawn(process.execPath, [new URL('../dist/server/main.js', import.meta.url).pathname], {
  // Retries within seconds instead of hours, so that a dead letter can be watched.
  env: {
    PATH: process.env['PATH'],
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: folder,
    LOG_LEVEL: 'error',
    WEBHOOK_RETRY_SECONDS: '1,1,1,1',
    WEBHOOK_SWEEP_SECONDS: '1',
  },
  stdio: ['ignore', 'ignore', 'inherit'],
})
process.on('exit', () => void server.kill('SIGKILL'))

interface Delivered {
  id: string
  body: string
  headers: Record<string, string>
}
const inbox: Delivered[] = []
let failing = false
let steps = 0
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    if (failing) return void response.writeHead(500).end('the warehouse is on fire')
    inbox.push({
      id: String(request.headers['webhook-id']),
      body: Buffer.concat(chunks).toString('utf8'),
      headers: request.headers as Record<string, string>,
    })
    response.writeHead(204).end()
  })
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const hooks = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`

try {
  await tour()
  await keepLinks()
} finally {
  receiver.close()
  server.kill('SIGTERM')
  await new Promise((resolve) => (server.exitCode === null ? server.once('exit', resolve) : resolve(null)))
  await rm(folder, { recursive: true, force: true })
}

interface Named {
  id: string
  name: string
}

interface Deliveries {
  data: Array<{ id: string; attempts: number; max_attempts: number; last_error: string | null; dead_lettered: boolean }>
  counts: Record<'delivered' | 'pending' | 'failed', number>
}

async function tour(): Promise<void> {
  step('A server of its own, on the embedded database')
  await until(
    'the server to be ready',
    async () => (await fetch(`${base}/health/ready`).catch(() => null))?.ok === true,
  )
  tell(`${base}, database and worker in one process`)

  step('A workspace')
  const { token, workspace } = await call<{ token: string; workspace: Named }>('POST', '/public/workspaces', {
    workspace_name: 'Parcel Post',
    name: 'Ada',
    email: 'ada@example.com',
    password: 'a long enough password',
  })
  tell(`${workspace.name} (${workspace.id})`)

  step('An NPS survey in two languages, published')
  const survey = await call<Named>('POST', '/v1/surveys', SURVEY, token)
  await call('POST', `/v1/surveys/${survey.id}/publish`, undefined, token)
  tell(`a person answers it, without JavaScript, at ${base}/public/s/${survey.id}`)

  step('A webhook to a receiver on this machine')
  const webhook = await call<{ id: string; secret: string }>(
    'POST',
    '/v1/webhooks',
    { url: hooks, events: ['response.completed'], survey_ids: [survey.id] },
    token,
  )
  tell(`${webhook.id}; its secret is shown this once: ${webhook.secret.slice(0, 12)}…`)

  step(`${RESPONSES.length} responses through the public surface`)
  for (const response of RESPONSES) {
    const { state } = await call<{ state: string }>('POST', `/public/surveys/${survey.id}/responses`, response)
    tell(`score ${response.answers.q1}: ${state}`)
  }
  await until('the deliveries', async () => inbox.length === RESPONSES.length)

  step('The receiver verifies each one with a stock Standard Webhooks library')
  for (const { id, body, headers } of inbox) {
    const event = new Webhook(webhook.secret).verify(body, headers) as {
      type: string
      data: { score: { value: number; band: string }; text: Array<{ value: string }> }
    }
    tell(
      `${id} ${event.type}: ${event.data.score.value}, ${event.data.score.band}${event.data.text.length > 0 ? `; “${event.data.text.map(({ value }) => value).join('” “')}”` : ''}`,
    )
  }
  const [first] = inbox
  const forged = first && accepts(webhook.secret, { ...first, body: first.body.replace('"value":10', '"value":0') })
  tell(`the same with one changed number: ${forged ? 'accepted, which must not be' : 'refused'}`)
  if (forged) throw new Error('a forged body was accepted')

  step('The receiver breaks: five attempts, then a dead letter')
  failing = true
  await call('POST', `/public/surveys/${survey.id}/responses`, RESPONSES[3])
  let seen = 0
  await until('the dead letter', async () => {
    const { data } = await call<Deliveries>('GET', '/v1/webhook-deliveries?limit=1', undefined, token)
    const [delivery] = data
    if (!delivery) return false
    if (delivery.attempts > seen)
      tell(
        `attempt ${(seen = delivery.attempts)} of ${delivery.max_attempts}: ${delivery.last_error}${delivery.dead_lettered ? ', dead-lettered' : ''}`,
      )
    return delivery.dead_lettered
  })

  step('It is mended, and the dead letter is replayed')
  failing = false
  const dead = await call<Deliveries>('GET', '/v1/webhook-deliveries?status=dead_lettered', undefined, token)
  const id = dead.data[0]?.id ?? ''
  await call('POST', `/v1/webhook-deliveries/${id}/replay`, undefined, token)
  await until('the replayed delivery', async () => inbox.some((delivered) => delivered.id === id))
  const replayed = inbox.find((delivered) => delivered.id === id)
  tell(
    `${id} arrived under its old id, and its signature is ${replayed && accepts(webhook.secret, replayed) ? 'valid' : 'NOT valid'}`,
  )

  step('The report')
  const { nps } = await call<{ nps: Record<'score' | 'n' | 'promoters' | 'passives' | 'detractors', number> }>(
    'GET',
    `/v1/surveys/${survey.id}/report`,
    undefined,
    token,
  )
  const { counts } = await call<Deliveries>('GET', '/v1/webhook-deliveries', undefined, token)
  tell(
    `NPS ${nps.score} from ${nps.n} responses. Promoters: ${nps.promoters}. Passives: ${nps.passives}. Detractors: ${nps.detractors}.`,
  )
  tell(`ledger: ${counts.delivered} delivered, ${counts.pending} pending, ${counts.failed} failed`)
  process.stdout.write('\nDone. `npm start` runs it for you; docs/webhooks.md says how to receive.\n')
}

// The survey's page and the API's reference are worth a look, as long as somebody is there to look.
async function keepLinks(): Promise<void> {
  if (!process.stdin.isTTY)
    return void process.stdout.write('The links above end now, with the demo. Run it in a terminal to keep them.\n')
  process.stdout.write(`The links above and ${base}/docs stay alive. Press any key to end the demo.\n`)
  process.stdin.setRawMode(true)
  await new Promise((resolve) => process.stdin.once('data', resolve))
  process.stdin.setRawMode(false)
  process.stdin.pause()
}

function accepts(secret: string, { body, headers }: Delivered): boolean {
  try {
    new Webhook(secret).verify(body, headers)
    return true
  } catch {
    return false
  }
}

async function call<Answer>(method: string, path: string, body?: unknown, token?: string): Promise<Answer> {
  const headers = {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  const response = await fetch(`${base}${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
  return (text ? JSON.parse(text) : null) as Answer
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS
  while (!(await holds())) {
    if (server.exitCode !== null) throw new Error('the server stopped')
    if (Date.now() > deadline) throw new Error(`waited ${DEADLINE_MS / 1000} s for ${what}`)
    await new Promise((resume) => setTimeout(resume, 100))
  }
}

function step(title: string): void {
  process.stdout.write(`\n${(steps += 1)}. ${title}\n`)
}

function tell(line: string): void {
  process.stdout.write(`   ${line}\n`)
}

async function freePort(): Promise<number> {
  const socket = createSocket()
  await new Promise<void>((resolve) => socket.listen(0, '127.0.0.1', resolve))
  const { port: free } = socket.address() as AddressInfo
  await new Promise((resolve) => socket.close(resolve))
  return free
}
