import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createTransport } from 'nodemailer'
import { mailOf } from '../src/adapters/smtp/smtp.ts'
import type { Mail } from '../src/adapters/smtp/smtp-worker.ts'
import { writeEmails, type Wanted } from '../src/features/outreach/messages/emails.service.ts'
import { readCurrentSurvey } from '../src/features/surveys/surveys/published-surveys.service.ts'
import { readWorkspace } from '../src/features/access/workspaces/workspaces.service.ts'
import { newId, parseId, type Id, type TenantId } from '../src/platform/ids.ts'
import { startProcess } from '../src/testing/process.ts'
import { createApi, untilReady } from './parts/load.ts'
import { cpuOf, cpuOfPostgres, memoryOf } from './parts/processes.ts'
import { machine, openRig, say, SECRETS_KEY, verdict } from './parts/rig.ts'

// Email invitations end to end against a local SMTP server: accepted in one call, sent, recorded, with `survey.sent`
// staged for each. Beside it nodemailer alone, as this product is set up to use it, sending the very messages that
// Earshot sent.
const CONNECTIONS = 8

const { values: options } = parseArgs({ options: { people: { type: 'string', default: '10000' } } })
const people = Number(options.people)

const rig = await openRig()
const sink = fork(new URL('parts/sink.ts', import.meta.url), { stdio: 'inherit' })
const [{ port }] = (await once(sink, 'message')) as [{ port: number }]
const smtpUrl = `smtp://127.0.0.1:${port}`
const server = startProcess({
  DATABASE_URL: rig.postgres?.url('postgres') ?? '',
  SECRETS_KEY,
  LOG_LEVEL: 'error',
  EMAIL_PROVIDER: 'smtp',
  SMTP_URL: smtpUrl,
  // The base of the links in the server's mails and in the peer's.
  PUBLIC_BASE_URL: rig.services.settings.baseUrl,
})
process.on('exit', () => void server.kill('SIGKILL'))
const base = await server.url
await untilReady(base)
const api = createApi(base)
say(
  `${machine()}; ${people} invitations with the built-in template, PostgreSQL over a Unix socket; server, SMTP sink and database share the machine.\n`,
)

const { token, workspace } = await api.post<{ token: string; workspace: { id: string } }>('/public/workspaces', {
  workspace_name: 'Bench',
  name: 'Bench',
  email: 'bench@example.com',
  password: 'a long password',
})
const survey = await api.post<{ id: string }>(
  '/v1/surveys',
  {
    name: 'After delivery',
    metric: 'nps',
    default_language: 'en',
    questions: [{ id: 'q1', type: 'nps', title: 'How likely are you to recommend us?', required: true }],
  },
  token,
)
await api.post(`/v1/surveys/${survey.id}/publish`, {}, token)

const [tenantId, surveyId] = [parseId('workspace', workspace.id), parseId('survey', survey.id)]
if (!tenantId || !surveyId) throw new Error('the server answered without ids')

const alone = [await sendAlone(tenantId, surveyId)]
const [before, memoryBefore, receivedBefore] = [cpu(), memoryOf(server.pid), await received()]
const started = performance.now()
await invite('first')
const accepted = performance.now()
const { seconds, records, events } = await untilSent(started)
say(
  `      accepted in one call after ${((accepted - started) / 1000).toFixed(2)} s; all sent after ${seconds.toFixed(2)} s; ${records} records, ${events} survey.sent events`,
)
const after = cpu()
say(
  `      CPU of each: ${Object.entries(after)
    .map(([name, used]) => `${name} ${(((used - (before[name] ?? 0)) / people) * 1e6).toFixed(0)} µs`)
    .join(', ')}`,
)
say(
  `      memory of the server: ${memoryBefore.toFixed(0)} MB before the first message, ${memoryOf(server.pid, 'VmHWM').toFixed(0)} MB at most`,
)
const bytes = await bytesSince(receivedBefore)
alone.push(await sendAlone(tenantId, surveyId))
const peer = alone.reduce((sum, one) => sum + one.rate, 0) / alone.length
const rate = people / seconds
say(
  `      Earshot ${Math.round(rate)}/s; nodemailer alone ${alone.map((one) => Math.round(one.rate)).join(' and ')}/s before and after`,
)
say(
  `      bytes of a message: Earshot ${bytes.toFixed(0)}, nodemailer alone ${alone.map((one) => one.bytes.toFixed(0)).join(' and ')}`,
)
if (records !== people || events !== people) throw new Error('not every send has its record and its event')
verdict('email invitations end to end, of nodemailer alone', rate / peer, { atLeast: 0.5 })

await api.close()
await server.kill('SIGKILL')
sink.disconnect()
await rig.close()

function cpu(): Record<string, number> {
  return {
    server: cpuOf(server.pid),
    'SMTP sink': cpuOf(sink.pid ?? 0),
    PostgreSQL: cpuOfPostgres(rig.postmaster ?? 0),
  }
}

async function invite(name: string): Promise<void> {
  const recipients = Array.from({ length: people }, (_, n) => ({
    email: `${name}-${n}@example.com`,
    name: `Person ${n}`,
  }))
  await api.post(`/v1/surveys/${survey.id}/invite`, { channel: 'email', recipients }, token)
}

async function untilSent(from: number): Promise<{ seconds: number; records: number; events: number }> {
  const ask = async <T extends object>(sql: string) =>
    (await rig.services.database.asOwner((owner) => owner.query<T>(sql)))[0]
  // To count them each time would be work for the database that is measured.
  while (
    (await ask<{ waiting: boolean }>('select exists (select from sends where next_attempt_at is not null) as waiting'))
      ?.waiting !== false
  )
    await pause(200)
  const seconds = (performance.now() - from) / 1000
  const counted = await ask<{ records: number; events: number }>(
    `select (select count(*)::int from survey_deliveries) as records, (select count(*)::int from events where type = 'survey.sent') as events`,
  )
  return { seconds, records: counted?.records ?? 0, events: counted?.events ?? 0 }
}

interface Received {
  messages: number
  bytes: number
}

async function received(): Promise<Received> {
  sink.send('received')
  const [counted] = (await once(sink, 'message')) as [Received]
  return counted
}

/** Bytes of each message that the sink took since then. */
async function bytesSince(before: Received): Promise<number> {
  const now = await received()
  return (now.bytes - before.bytes) / (now.messages - before.messages)
}

/**
 * Messages a second of nodemailer with the product's settings, each with the content of a mail of the product.
 */
async function sendAlone(tenantId: TenantId, surveyId: Id<'survey'>): Promise<{ rate: number; bytes: number }> {
  const mail = await exampleMail(tenantId, surveyId)
  const before = await received()
  const transport = createTransport({ url: smtpUrl, pool: true, maxConnections: CONNECTIONS, maxMessages: Infinity })
  const began = performance.now()
  await Promise.all(
    Array.from({ length: people }, (_, n) =>
      transport.sendMail({
        ...mail,
        to: { name: '', address: `first-${n}@example.com` },
        messageId: `<send_${randomUUID()}@localhost>`,
      }),
    ),
  )
  const rate = people / ((performance.now() - began) / 1000)
  transport.close()
  return { rate, bytes: await bytesSince(before) }
}

/** The message that the product's own code gives nodemailer for one person, with tracked links, pixel and headers. */
async function exampleMail(tenantId: TenantId, surveyId: Id<'survey'>): Promise<Mail> {
  const message = await rig.services.run(async (system) => {
    const scope = system.tenant(tenantId, { type: 'system' })
    return scope.tx(async (tx) => {
      const send = { id: newId('send'), survey_id: surveyId, language: null } as Wanted['send']
      const recipient = { address: 'first-5000@example.com', name: 'Person 5000', timezone: null, customData: {} }
      const survey = await readCurrentSurvey(scope, tx, surveyId)
      const wanted = { send, recipient, survey, templateId: null, words: null }
      const [written] = await writeEmails(scope, tx, [wanted], await readWorkspace(tx))
      return written?.message
    })
  })
  if (message?.channel !== 'email') throw new Error('no example was written')
  return mailOf(await message.write(), rig.services.config.email.from)
}
