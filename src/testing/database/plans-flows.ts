import { Registry } from 'prom-client'
import { expect } from 'vitest'
import { Webhook } from 'svix'
import { exportOf } from '../../platform/fields/lists.ts'
import { sealBatch } from '../../features/trust/audit/seal.service.ts'
import { dispatchSweeps } from '../../features/outreach/messages/messages.feature.ts'
import {
  addNumber,
  BASE,
  caller,
  postSigned,
  startCallbackServer,
  texter,
} from '../../features/outreach/conversations/twilio-callbacks.fixture.ts'
import { createDeliveryEngine, type DeliveryEngine } from '../../features/delivery/webhooks/engine/delivery-engine.ts'
import { removeSettledDeliveries } from '../../features/delivery/webhooks/log/retention.service.ts'
import { readQuotaCounts } from '../../features/surveys/surveys/quotas.service.ts'
import { createWebhook } from '../../features/delivery/webhooks/registration/webhooks.service.ts'
import { parseId, type Id, type IdKind } from '../../platform/ids.ts'
import type { WakeListener } from '../../platform/ports/ports.ts'
import { startFakeTwilio, type FakeTwilio } from '../providers/fake-twilio.ts'
import { createApiKey, createWorkspace, runSweep, type TestWorkspace } from '../fixtures.ts'
import type { TestAnswer, TestServer } from '../harness.ts'
import { inviteToSurvey, makeLiveSurvey, NPS_SURVEY, submit } from '../makers.ts'
import { startReceiver } from '../receiver.ts'
import { recordEmail } from '../recording-email.ts'
import { inWorkspace } from '../send-fixture.ts'

/** The rows that the flows use, on any server. */
export interface World {
  workspace: TestWorkspace
  key: string
  surveyId: string
  onceId: string
  number: string
  slug: string
  webhookId: string
  twilio: FakeTwilio
}

export const EMAIL_SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 ' +
  'Mobile/15E148 Safari/604.1'
const HOUR_MS = 3_600_000

type Outside = Awaited<ReturnType<typeof startOutside>>

/** The providers and receivers that outlive a server. */
export async function startOutside() {
  const twilio = await startFakeTwilio()
  const receiver = await startReceiver()
  receiver.answer(({ path }, response) => void response.writeHead(path.endsWith('/failing') ? 500 : 200).end())
  return {
    twilio,
    receiver,
    /** One connection runs everything, so that the flows prepare each statement on it. */
    startServer: (databaseUrl: string, now = new Date('2026-03-02T10:00:00.000Z')) =>
      startCallbackServer({
        databaseUrl,
        now,
        poolSize: 1,
        env: {
          TWILIO_BASE_URL: twilio.url,
          SMS_RATE_PER_SECOND: '1000',
          PUBLIC_BASE_URL: BASE,
          EMAIL_WEBHOOK_SECRET: EMAIL_SECRET,
        },
      }),
    async close() {
      await receiver.close()
      await twilio.close()
    },
  }
}

export async function makeWorld(server: TestServer, { twilio, receiver }: Outside): Promise<World> {
  const workspace = await createWorkspace(server)
  const { token } = workspace
  const quotas = [{ id: 'all', limit: 1_000_000 }]
  const surveyId = await makeLiveSurvey(server, workspace, { ...NPS_SURVEY, quotas })
  const [good] = await inWorkspace(server, workspace, (scope) =>
    Promise.all(
      ['', '/failing'].map((path) =>
        createWebhook(scope, {
          url: `${receiver.url}${path}`,
          description: '',
          tags: [],
          headers: {},
          events: [],
          survey_ids: [],
          include_text: true,
          include_custom_data: true,
          include_answers: true,
        }),
      ),
    ),
  )
  const channel = 'console'
  for (const event of ['response.completed', 'survey.sent'])
    await ok(server.request('POST', '/v1/notification-subscriptions', { token, body: { event, channel } }))
  const link = await ok(server.request('POST', '/v1/short-urls', { token, body: { target: 'https://example.com/' } }))
  return {
    workspace,
    key: (await createApiKey(server, token, ['surveys.manage'])).key,
    surveyId,
    onceId: await makeLiveSurvey(server, workspace, { ...NPS_SURVEY, dedupe: 'device', quotas }),
    number: (
      await addNumber(server, workspace, {
        keywords: [{ keyword: 'NPS', survey_id: surveyId }],
        default_survey_id: surveyId,
      })
    ).number,
    slug: link.body.slug,
    webhookId: good?.id ?? '',
    twilio,
  }
}

export type Flow = (server: TestServer, world: World, round: number) => Promise<void>

/** The hot paths. Each runs in every state of the statistics. */
const FLOWS: Record<string, Flow> = {
  async session(server, { workspace, key }) {
    const { email, password } = workspace
    const signedIn = await ok(server.request('POST', '/public/sessions', { body: { email, password } }))
    await ok(server.request('GET', '/v1/me', { token: signedIn.body.token }))
    await ok(server.request('GET', '/v1/me', { token: key }))
  },

  async exports(server, { workspace, surveyId }) {
    const { id } = await submit(server, surveyId, { answers: { q1: 9 } })
    const keys = [{ id: parseId('response', id) ?? '', member: null }]
    const spec = {
      surveyId: null,
      filter: null,
      answers: 'wide',
      labels: 'ids',
      language: null,
      snapshotAt: new Date(),
    } as const
    const { rows } = await inWorkspace(server, workspace, (scope) =>
      scope.read((tx) => exportOf('responses').read(scope, tx, keys, { ...spec, shows: [] }, ['id'])),
    )
    expect([...rows]).toEqual([[[id]]])
  },

  async 'capture and staging'(server, { workspace, surveyId, onceId }, round) {
    await ok(server.request('GET', `/public/s/${surveyId}`))
    await submit(server, surveyId, { answers: { q1: 9, q3: 'Fine, says grace@example.com.' } })
    const begun = await submit(server, surveyId, { answers: { q1: 9 }, completed: false })
    await ok(server.request('PATCH', `/public/responses/${begun.token}`, { body: { answers: { q3: 'Fine.' } } }))
    await ok(server.request('PATCH', `/public/responses/${begun.token}`, { body: { completed: true } }))
    await submit(server, onceId, { answers: { q1: 9 }, device: `device ${round}`, completed: false })
    await submit(server, onceId, { answers: { q1: 9 }, device: `device ${round}` })
    await inWorkspace(server, workspace, (scope) => scope.tx((tx) => readQuotaCounts(tx, idOf('survey', surveyId))))
  },

  async 'claim and record'(server, { surveyId, workspace }) {
    const engine = newEngine(server)
    const { bus } = server.services
    // Sent by the process that stages them; then claimed by id; then left over, to be returned and claimed as due.
    const listeners: WakeListener[] = [engine, { wake: engine.wake }, { wake: () => {} }]
    for (const listener of listeners) {
      await bus.listen({ 'webhook-deliveries': listener })
      await submit(server, surveyId, { answers: { q1: 9 } })
      await new Promise((resume) => setImmediate(resume))
      await engine.idle()
    }
    const leaving = newEngine(server)
    await leaving.sweep()
    await leaving.stop()
    server.clock.advance(HOUR_MS)
    await engine.sweep()
    await engine.idle()
    await engine.stop()
    await bus.stop()
    const latest = await ok(server.request('GET', '/v1/webhook-deliveries?limit=1', { token: workspace.token }))
    await inWorkspace(server, workspace, (scope) =>
      scope.tx(async (tx) => {
        await removeSettledDeliveries(
          tx,
          [idOf('event', latest.body.data[0].event_id)],
          new Date(scope.clock.now().getTime() + HOUR_MS),
        )
      }),
    )
  },

  async 'a change of a webhook'(server, { workspace: { token } }, round) {
    const listed = await ok(server.request('GET', '/v1/webhooks?limit=1', { token }))
    await ok(
      server.request('PATCH', `/v1/webhooks/${listed.body.data[0].id}`, {
        token,
        body: { description: `Round ${round}` },
      }),
    )
  },

  async conversation(server, { number, surveyId }, round) {
    const ada = texter(server, number, `+15005561${100 + round}`)
    for (const text of ['NPS', '9', 'Price', 'Because']) await ada.text(text)
    const bob = caller(server, `/public/twilio/voice/${surveyId}`, { number, phone: `+15005571${100 + round}` })
    await bob.begin()
    await bob.press('9')
  },

  async 'dispatch and report'(server, { workspace, surveyId, number, twilio }, round) {
    const mail = recordEmail(server)
    await inviteToSurvey(server, workspace, surveyId, { recipients: [{ email: `grace-${round}@example.com` }] })
    await inviteToSurvey(server, workspace, surveyId, {
      channel: 'sms',
      recipients: [{ phone: `+15005581${100 + round}` }],
    })
    await runSweep(server, dispatchSweeps.email)
    await runSweep(server, dispatchSweeps.sms)
    const message = mail.sent.at(-1)
    const body = JSON.stringify({
      type: 'email.delivered',
      created_at: server.clock.now().toISOString(),
      data: { email_id: message?.idempotencyKey, to: ['grace@example.com'], tags: { voc_delivery: message?.tag } },
    })
    const [id, at] = [`msg_${round}`, server.clock.now()]
    const headers = {
      'svix-id': id,
      'svix-timestamp': `${Math.floor(at.getTime() / 1000)}`,
      'svix-signature': new Webhook(EMAIL_SECRET).sign(id, at, body),
    }
    await ok(server.request('POST', '/public/email/events', { body, headers }))
    await ok(
      postSigned(server, '/public/twilio/sms', {
        MessageSid: twilio.messages.at(-1)?.sid ?? '',
        MessageStatus: 'delivered',
        From: number,
      }),
    )
    const answered = await submit(server, surveyId, {
      answers: { q1: 9 },
      token: /[?&]token=([\w-]+)/.exec(message?.text ?? '')?.[1],
      completed: false,
    })
    await ok(server.request('PATCH', `/public/responses/${answered.token}`, { body: { completed: true } }))
  },

  async 'short link'(server, { slug }) {
    expect((await server.request('GET', `/r/${slug}`, { headers: { 'user-agent': PHONE } })).status).toBe(302)
  },

  async 'delivery log'(server, { workspace, surveyId, webhookId }) {
    const since = new Date(server.clock.now().getTime() - HOUR_MS).toISOString()
    const filters = [
      '',
      'status=pending',
      'status=failed',
      'status=dead_lettered',
      `webhook_id=${webhookId}`,
      'event=response.completed',
      `survey_id=${surveyId}`,
      `since=${since}`,
    ]
    for (const filter of filters)
      await ok(server.request('GET', `/v1/webhook-deliveries?${filter}`, { token: workspace.token }))
  },

  async 'audit log'(server, { workspace, webhookId }) {
    const since = new Date(server.clock.now().getTime() - HOUR_MS).toISOString()
    const filters = [
      '',
      `actor=${workspace.userId}`,
      'action=webhook.update',
      'action=webhook.*',
      `target=${webhookId}`,
      'outcome=refused',
      'outcome=ok',
      `since=${since}`,
    ]
    for (const filter of filters) await ok(server.request('GET', `/v1/audit?${filter}`, { token: workspace.token }))
    await inWorkspace(server, workspace, sealBatch)
  },

  async 'response list'(server, { workspace, surveyId }) {
    const from = new Date(server.clock.now().getTime() - HOUR_MS).toISOString()
    for (const filter of ['', `survey_id=${surveyId}`, 'state=completed', `survey_id=${surveyId}&from=${from}`])
      await ok(server.request('GET', `/v1/responses?${filter}`, { token: workspace.token }))
    for (const [list, fields] of Object.entries(SORTED))
      for (const field of fields)
        for (const sort of [field, `-${field}`])
          await ok(server.request('GET', `/v1/${list}?sort=${sort}`, { token: workspace.token }))
  },

  async 'people by name'(server, { workspace: { token } }, round) {
    const email = `grace${round}@example.com`
    const body = { external_id: `person ${round}`, name: `Grace Hopper ${round}`, email }
    await ok(server.request('POST', '/v1/people', { token, body }))
    for (const search of ['hopper', `hopper ${round}`, body.external_id, email, 'nobody'])
      await ok(server.request('GET', `/v1/people?search=${encodeURIComponent(search)}`, { token }))
    await ok(server.request('POST', '/v1/people', { token, body: { ...body, name: `Grace ${round}` } }))
  },

  async 'people by occasion'(server, { workspace: { token } }) {
    for (const field of ['invited', 'responded']) {
      const filter = JSON.stringify({ all: [{ field, op: 'within_days', value: { days: 9 } }] })
      await ok(server.request('GET', `/v1/people?filter=${encodeURIComponent(filter)}`, { token }))
    }
  },

  async 'changes of a watched workspace'(server, { workspace, surveyId }) {
    const nothing = () => {}
    const follower = { owner: 'plans', changed: nothing, tick: nothing, reset: nothing, end: nothing }
    const leave = await server.services.changes.follow(idOf('workspace', workspace.workspaceId), follower)
    await submit(server, surveyId, { answers: { q1: 9 } })
    leave?.()
  },
}

const SORTED = {
  // Copies of a row share its duration, so an order by it reads them all.
  responses: ['started_at', 'completed_at', 'score'],
  'webhook-deliveries': ['created_at'],
  sends: ['created_at', 'accepted_at'],
  audit: ['at'],
  people: ['created_at', 'last_invited_at', 'last_score'],
}

/** The flow of one hot path. */
export function flowOf(name: string): Flow {
  const flow = FLOWS[name]
  if (!flow) throw new Error(`there is no flow of ${name}`)
  return flow
}

/** @param round a new number each time on the same database, so that it makes other people. */
export async function runFlows(server: TestServer, world: World, round: number): Promise<void> {
  for (const [name, flow] of Object.entries(FLOWS)) {
    await flow(server, world, round).catch((cause: unknown) => {
      throw new Error(`the flow of ${name} failed`, { cause })
    })
  }
}

function idOf<Kind extends IdKind>(kind: Kind, id: string): Id<Kind> {
  const read = parseId(kind, id)
  if (!read) throw new Error(`${id} is no ${kind}`)
  return read
}

function newEngine({ clock, services: { run, log, settings } }: TestServer): DeliveryEngine {
  return createDeliveryEngine({ run, log, settings, clock, metrics: new Registry() })
}

async function ok(asked: Promise<TestAnswer>): Promise<TestAnswer> {
  const answer = await asked
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer
}
