import { Registry } from 'prom-client'
import { expect } from 'vitest'
import { sendMailSweep } from '../../features/access/mail/mail.sweeps.ts'
import { rollupSweep } from '../../features/answers/reporting/rollups/reporting.sweeps.ts'
import { requestRollups } from '../../features/answers/reporting/rollups/rollups.service.ts'
import { recoverNotificationsSweep } from '../../features/delivery/notifications/notifications.sweeps.ts'
import { createDeliveryEngine } from '../../features/delivery/webhooks/engine/delivery-engine.ts'
import { countDueLedgers } from '../../features/delivery/webhooks/log/ledger-counts.service.ts'
import { insertLedger } from '../../features/delivery/webhooks/log/ledger-counts.store.ts'
import { caller, texter } from '../../features/outreach/conversations/twilio-callbacks.fixture.ts'
import { dispatchSweeps } from '../../features/outreach/messages/messages.sweeps.ts'
import { parseId, type Id } from '../../platform/ids.ts'
import { PERMISSIONS } from '../../platform/permissions.ts'
import { ProviderError } from '../../platform/ports/provider.ts'
import { createApiKey, runSweep } from '../fixtures.ts'
import type { TestServer } from '../harness.ts'
import { inviteToSurvey, makeLiveSurvey, submit } from '../makers.ts'
import { makeWorld, runFlows, type startOutside } from '../plans-flows.ts'
import { recordEmail } from '../recording-email.ts'
import { inWorkspace } from '../send-fixture.ts'
import { makeSends, type Member, type Send } from './make-sends.ts'

/** The facts about the rows that a later version is asked for. */
export interface KeptWorld {
  /** When the rows were read, by the clock of their server. */
  at: string
  email: string
  password: string
  session: string
  key: string
  surveyId: string
  parkedWebhookId: string
  number: string
  /** Of the person whose conversation waits for an answer. */
  phone: string
  report: unknown
}

const HOUR_MS = 3_600_000

/** Rows in every state, made by the application itself. `read` is called while a provider and a receiver have not answered yet. */
export async function makeStates(
  server: TestServer,
  outside: Awaited<ReturnType<typeof startOutside>>,
  read: (world: KeptWorld) => Promise<void>,
): Promise<void> {
  const { receiver, twilio } = outside
  const mail = recordEmail(server)
  const world = await makeWorld(server, outside)
  const { workspace, surveyId, number } = world
  const engine = newEngine(server)
  const sweep = async () => {
    await engine.sweep()
    await engine.idle()
  }
  await runFlows(server, world, 0)
  for (let round = 0; round < 5; round++) {
    server.clock.advance(24 * HOUR_MS)
    await sweep()
  }
  await rollUp(server, world)
  await runSweep(server, recoverNotificationsSweep)
  const member = await signIn(server, workspace)
  const subscription = { event: 'response.completed', channel: 'email' }
  await server.request('POST', '/v1/notification-subscriptions', { token: member, body: subscription })
  const { key: token } = await createApiKey(server, member, [...PERMISSIONS])
  const send = async (method: string, path: string, body?: object, headers?: Record<string, string>) => {
    const answer = await server.request(method, path, { token, body, ...(headers && { headers }) })
    expect(answer.status, `${method} ${path} ${answer.text}`).toBeLessThan(300)
    return answer
  }
  const owner = { ...workspace, token }

  await send('POST', '/v1/members/invitations', await invitee(send, 'failed@example.com'))
  mail.failWith = new ProviderError('smtp_451', 'unknown')
  for (let attempt = 0; attempt < 12; attempt++) {
    await runSweep(server, sendMailSweep)
    server.clock.advance(12 * HOUR_MS)
  }
  mail.failWith = null
  await send('POST', '/v1/members/invitations', await invitee(send, 'sent@example.com'))
  await runSweep(server, sendMailSweep)
  await makeResponses(server, owner, send)
  await makeSends(server, owner, surveyId, send)
  await inviteToSurvey(server, owner, surveyId, { channel: 'sms', recipients: [{ phone: '+15005559002' }] })
  twilio.refuseWith = { status: 500 }
  await runSweep(server, dispatchSweeps.sms)
  twilio.refuseWith = null
  const phone = '+15005559001'
  const ada = texter(server, number, phone)
  for (const text of ['NPS', '9']) await ada.text(text)
  await caller(server, `/public/twilio/voice/${surveyId}`, { number, phone: '+15005559003' }).begin()

  mail.failWith = new ProviderError('smtp_451', 'unknown')
  await send('POST', '/v1/members/invitations', await invitee(send, 'retried@example.com'))
  await runSweep(server, sendMailSweep)
  mail.failWith = null
  await send('POST', '/v1/members/invitations', await invitee(send, 'waiting@example.com'))
  await server.request('POST', '/public/password-resets', { body: { email: workspace.email } })
  await send('POST', '/v1/roles', { name: 'Kept', permissions: [] }, { 'idempotency-key': 'kept' })
  const wrong = { email: workspace.email, password: 'a wrong password' }
  await server.request('POST', '/public/sessions', { body: wrong, headers: { 'x-forwarded-for': '203.0.113.9' } })

  await send('POST', '/v1/webhooks', { url: `${receiver.url}/later/failing` })
  const parked = await send('POST', '/v1/webhooks', { url: `${receiver.url}/parked` })
  await submit(server, surveyId, { answers: { q1: 8 } })
  await send('PATCH', `/v1/webhooks/${parked.body.id}`, { enabled: false })
  const dropped = await send('POST', '/v1/webhooks', { url: `${receiver.url}/dropped` })
  await submit(server, surveyId, { answers: { q1: 7 } })
  await send('DELETE', `/v1/webhooks/${dropped.body.id}`)
  await sweep()
  await send('POST', '/v1/webhook-deliveries/replay', {})
  const since = '2026-01-01T00:00:00Z'
  await send('POST', `/v1/webhooks/${world.webhookId}/backfill`, { survey_id: surveyId, since })
  await send('POST', '/v1/notification-subscriptions', { event: 'response.completed', channel: 'email' }).catch(
    () => {},
  )

  const session = await signIn(server, workspace)
  const { answered, release } = await holdEverything(server, outside, async () => {
    await submit(server, surveyId, { answers: { q1: 6 } })
    await inviteToSurvey(server, owner, surveyId, { recipients: [{ email: 'calling@example.com' }] })
    return [engine.sweep(), runSweep(server, dispatchSweeps.email)]
  })
  await submit(server, surveyId, { answers: { q1: 5 } })
  const { body: report } = await send('GET', `/v1/surveys/${surveyId}/report`)
  await read({
    at: server.clock.now().toISOString(),
    email: workspace.email,
    password: workspace.password,
    session,
    key: token,
    surveyId,
    parkedWebhookId: parked.body.id,
    number,
    phone,
    report,
  })
  release()
  await Promise.all(answered)
  await engine.idle()
  await engine.stop()
}

async function makeResponses(server: TestServer, owner: Member, send: Send): Promise<void> {
  const surveyId = await makeLiveSurvey(server, owner, {
    name: 'Ends',
    questions: [
      { id: 'q1', type: 'nps', title: 'T' },
      { id: 'q2', type: 'open_text', title: 'T' },
    ],
    quotas: [{ id: 'one', when: { question: 'q1', op: 'gte', value: 9 }, limit: 1 }],
    logic: [{ when: { question: 'q1', op: 'lte', value: 2 }, then: [{ action: 'end', ending: 'out' }] }],
    endings: [
      { id: 'out', title: 'Sorry', outcome: 'screened_out' },
      { id: 'thanks', title: 'Thanks' },
    ],
  })
  for (const q1 of [9, 9, 1]) await submit(server, surveyId, { answers: { q1 } })
  await submit(server, surveyId, { answers: {}, completed: false })
  await submit(server, surveyId, { answers: { q1: 5, q2: 'So far' }, completed: false })
  const held = await submit(server, surveyId, { answers: { q1: 5 } })
  await send('POST', `/v1/responses/${held.id}/quarantine`)
  const gone = await submit(server, surveyId, { answers: { q1: 5 } })
  await send('DELETE', `/v1/responses/${gone.id}`)
  const noted = await submit(server, surveyId, { answers: { q1: 7 } })
  await send('POST', `/v1/responses/${noted.id}/notes`, { text: 'Called back.' })
  for (const action of ['pause', 'close', 'archive']) {
    const id = await makeLiveSurvey(server, owner)
    await send('POST', `/v1/surveys/${id}/${action === 'archive' ? 'close' : action}`)
    if (action === 'archive') await send('POST', `/v1/surveys/${id}/archive`)
  }
  await send('POST', '/v1/surveys', { name: 'Draft' })
}

async function rollUp(server: TestServer, { workspace, surveyId }: Awaited<ReturnType<typeof makeWorld>>) {
  await inWorkspace(server, workspace, async (scope) => {
    await requestRollups(scope, parseId('survey', surveyId) as Id<'survey'>)
    await scope.tx((tx) => insertLedger(tx, scope.clock.now()))
  })
  for (let pass = 0; pass < 6; pass++) {
    server.clock.advance(HOUR_MS)
    await runSweep(server, rollupSweep)
    await server.services.run((system) =>
      countDueLedgers(system, { limit: 100, signal: AbortSignal.timeout(60_000), renew: async () => true }, 5),
    )
  }
}

/** Lets work begin, and its receivers and providers keep their answers until `release`. */
async function holdEverything(
  server: TestServer,
  { receiver }: Awaited<ReturnType<typeof startOutside>>,
  begin: () => Promise<Promise<unknown>[]>,
) {
  const [held, asked, mailed] = [promise(), promise(), promise()]
  receiver.answer((_request, response) => {
    asked.resolve()
    void held.promise.then(() => response.writeHead(200).end())
  })
  const send = async () => {
    mailed.resolve()
    await held.promise
    return { providerId: 'held' }
  }
  Object.assign(server.services.factories, { email: () => ({ send }) })
  const answered = await begin()
  await Promise.all([asked.promise, mailed.promise])
  return { answered, release: held.resolve }
}

function promise() {
  return Promise.withResolvers<void>()
}

async function invitee(send: Send, email: string) {
  const { body } = await send('GET', '/v1/roles?limit=1')
  return { email, role_id: body.data[0].id }
}

async function signIn(server: TestServer, { email, password }: { email: string; password: string }): Promise<string> {
  const answer = await server.request('POST', '/public/sessions', { body: { email, password } })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body.token
}

function newEngine({ clock, services: { run, log, settings } }: TestServer) {
  return createDeliveryEngine({ run, log, settings, clock, metrics: new Registry() })
}
