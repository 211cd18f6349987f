import { Webhook } from 'svix'
import { expect } from 'vitest'
import { dispatchSweeps } from '../../features/outreach/messages/messages.sweeps.ts'
import { ProviderError } from '../../platform/ports/provider.ts'
import { runSweep } from '../fixtures.ts'
import type { TestAnswer, TestServer } from '../harness.ts'
import { inviteToSurvey, makeLiveSurvey, submit } from '../makers.ts'
import { EMAIL_SECRET } from '../plans-flows.ts'
import { recordEmail } from '../recording-email.ts'

/** Asks the API as the member, and expects a success. */
export type Send = (
  method: string,
  path: string,
  body?: object,
  headers?: Record<string, string>,
) => Promise<TestAnswer>
export type Member = Parameters<typeof inviteToSurvey>[1]

const HOUR_MS = 3_600_000
const MOBILE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1'

/** A send in each status, suppressions and a template. The name of each person says what becomes of the message. */
export async function makeSends(server: TestServer, owner: Member, surveyId: string, send: Send): Promise<void> {
  const mail = recordEmail(server)
  const later = new Date(server.clock.now().getTime() + HOUR_MS).toISOString()
  const invite = (name: string, body: object = {}) =>
    inviteToSurvey(server, owner, surveyId, { recipients: [{ email: `${name}@example.com` }], ...body })
  const dispatch = async (name: string, body?: object) => {
    await invite(name, body)
    await runSweep(server, dispatchSweeps.email)
    return mail.sent.findLast(({ to }) => to === `${name}@example.com`)
  }
  const template = await send('POST', '/v1/email-templates', {
    name: 'Kept',
    content: { en: { subject: 'Kept {{ name }}', html: '<a href="{{ unsubscribe_url }}">No</a>' } },
    default_language: 'en',
  })
  await send('PATCH', `/v1/email-templates/${template.body.id}`, { name: 'Kept twice' })

  await dispatch('accepted', { reminders: [{ after_hours: 1 }] })
  for (const kind of ['delivered', 'bounced', 'complained']) {
    const message = await dispatch(kind)
    await tell(server, kind, message?.idempotencyKey, message?.tag)
  }
  const visit = async (name: string, link: RegExp) => {
    const path = link.exec((await dispatch(name))?.html ?? '')?.[1] ?? ''
    expect((await server.request('GET', path, { headers: { 'user-agent': MOBILE } })).status).toBeLessThan(400)
  }
  await visit('opened', /(\/public\/track\/open\/[\w.-]+)/)
  await visit('clicked', /(\/public\/track\/click\/[\w-]+)/)
  for (const name of ['started', 'completed']) {
    const link = /[?&]token=([\w-]+)/.exec((await dispatch(name))?.text ?? '')?.[1]
    await submit(server, surveyId, { answers: { q1: 9 }, token: link, completed: name === 'completed' })
  }
  for (const [name, kind] of [
    ['failed', 'refused'],
    ['retried', 'unknown'],
  ] as const) {
    mail.failWith = new ProviderError('resend_error', kind)
    await dispatch(name)
    mail.failWith = null
  }
  await invite('queued', { send_at: later, template_id: template.body.id })
  await invite('unwanted', { send_at: later })
  const refused = await send('POST', '/v1/suppression', { channel: 'email', address: 'unwanted@example.com' })
  expect(refused.status).toBe(201)
  const lifted = await send('POST', '/v1/suppression', { channel: 'sms', address: '+15005559009' })
  await send('DELETE', `/v1/suppression/${lifted.body.id}?evidence=They%20asked.`)
  const cancelled = await invite('cancelled', { send_at: later })
  await send('POST', `/v1/invitations/${cancelled.id}/cancel`)
  const paused = await makeLiveSurvey(server, owner)
  await inviteToSurvey(server, owner, paused, { recipients: [{ email: 'skipped@example.com' }] })
  await send('POST', `/v1/surveys/${paused}/pause`)
  await runSweep(server, dispatchSweeps.email)
}

async function tell(server: TestServer, kind: string, emailId = '', tag = ''): Promise<void> {
  const at = server.clock.now()
  const data = { email_id: emailId, to: ['someone@example.com'], tags: { voc_delivery: tag } }
  const bounced = kind === 'bounced' && { bounce: { type: 'Permanent', subType: 'General', message: 'x' } }
  const body = JSON.stringify({
    type: `email.${kind}`,
    created_at: at.toISOString(),
    data: { ...data, ...bounced },
  })
  const id = `msg_kept_${kind}`
  const headers = {
    'svix-id': id,
    'svix-timestamp': `${Math.floor(at.getTime() / 1000)}`,
    'svix-signature': new Webhook(EMAIL_SECRET).sign(id, at, body),
  }
  expect((await server.request('POST', '/public/email/events', { body, headers })).status).toBeLessThan(300)
}
