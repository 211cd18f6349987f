import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { startProcess } from '../src/testing/process.ts'
import { createApi, untilReady } from './load.ts'
import { cpuOf, cpuOfPostgres, machine, openRig, say, SECRETS_KEY, verdict } from './rig.ts'

// Email invitations end to end against a local SMTP server: accepted in one call, sent, recorded, with `survey.sent` staged for each.
// Beside it nodemailer alone, as this product is set up to use it, sending the very messages that Earshot sent.
const CONNECTIONS = 8

const { values: options } = parseArgs({ options: { people: { type: 'string', default: '10000' } } })
const people = Number(options.people)

const rig = await openRig()
const sink = fork(new URL('sink.ts', import.meta.url), { stdio: 'inherit' })
const [{ port }] = (await once(sink, 'message')) as [{ port: number }]
const smtpUrl = `smtp://127.0.0.1:${port}`
const server = startProcess({ DATABASE_URL: rig.postgres?.url('postgres') ?? '', SECRETS_KEY, LOG_LEVEL: 'error', EMAIL_PROVIDER: 'smtp', SMTP_URL: smtpUrl })
process.on('exit', () => void server.kill('SIGKILL'))
const base = await server.url
await untilReady(base)
const api = createApi(base)
say(`${machine()}; ${people} invitations with the built-in template, PostgreSQL over a Unix socket; server, SMTP sink and database share the machine.\n`)

const { token } = await api.post<{ token: string }>('/public/workspaces', {
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

const alone = [await sendAlone()]
const before = cpu()
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
alone.push(await sendAlone())
const peer = alone.reduce((sum, rate) => sum + rate, 0) / alone.length
const rate = people / seconds
say(`      Earshot ${Math.round(rate)}/s; nodemailer alone ${alone.map(Math.round).join(' and ')}/s before and after`)
if (records !== people || events !== people) throw new Error('not every send has its record and its event')
verdict('email invitations end to end, of nodemailer alone', rate / peer, { atLeast: 0.5 })

await api.close()
await server.kill('SIGKILL')
sink.disconnect()
await rig.close()

function cpu(): Record<string, number> {
  return { server: cpuOf(server.pid), 'SMTP sink': cpuOf(sink.pid ?? 0), PostgreSQL: cpuOfPostgres(rig.postmaster ?? 0) }
}

async function invite(name: string): Promise<void> {
  const recipients = Array.from({ length: people }, (_, n) => ({ email: `${name}-${n}@example.com`, name: `Person ${n}` }))
  await api.post(`/v1/surveys/${survey.id}/invite`, { channel: 'email', recipients }, token)
}

async function untilSent(from: number): Promise<{ seconds: number; records: number; events: number }> {
  for (;;) {
    const [row] = await rig.services.database.asOwner((owner) =>
      owner.query<{ waiting: number; records: number; events: number }>(`
        select (select count(*)::int from sends where next_attempt_at is not null) as waiting, (select count(*)::int from survey_deliveries) as records,
          (select count(*)::int from events where type = 'survey.sent') as events`),
    )
    if (row && row.waiting === 0 && row.records >= people) return { seconds: (performance.now() - from) / 1000, ...row }
    await pause(200)
  }
}

/** Messages a second of nodemailer with the product's settings and messages of the same size and shape. */
async function sendAlone(): Promise<number> {
  const transport = createTransport({ url: smtpUrl, pool: true, maxConnections: CONNECTIONS, maxMessages: Infinity })
  const message = await exampleMessage()
  const began = performance.now()
  await Promise.all(
    Array.from({ length: people }, (_, n) => transport.sendMail({ ...message, to: `alone-${n}@example.com`, messageId: `<alone-${n}@earshot>` })),
  )
  const rate = people / ((performance.now() - began) / 1000)
  transport.close()
  return rate
}

/** One of the messages that Earshot writes, as a preview gives it. */
async function exampleMessage(): Promise<SendMailOptions> {
  const link = `${base}/public/s/${survey.id}?lang=en&token=${'t'.repeat(64)}`
  const { DEFAULT_CONTENT } = await import('../src/features/email-templates/default-template.ts')
  const { createTemplate, renderEmail } = await import('../src/features/email-templates/render-email.ts')
  const { subject, html, text } = renderEmail(createTemplate(DEFAULT_CONTENT, 'en'), {
    name: 'Person 1',
    language: 'en',
    survey: { name: 'After delivery', question: 'How likely are you to recommend us?', scale: { min: 0, max: 10, low_label: '', high_label: '' } },
    workspace: { name: 'Bench', logo_url: null, color: null },
    survey_url: link,
    unsubscribe_url: `${base}/public/unsubscribe/${'t'.repeat(64)}`,
    score_urls: Array.from({ length: 11 }, (_, value) => ({ value, url: `${link}&q1=${value}` })),
    custom: {},
  })
  return {
    from: '"Bench" <earshot@localhost>',
    subject,
    html,
    text,
    headers: {
      'List-Unsubscribe': `<${base}/public/unsubscribe/${'t'.repeat(64)}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'X-VOC-Delivery': 't'.repeat(64),
    },
  }
}
