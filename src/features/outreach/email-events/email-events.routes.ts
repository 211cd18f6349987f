import { KIB, readBody } from '../../../http/body.ts'
import { systemRoute } from '../../../http/route.ts'
import { takeReport } from '../../../http/to-problem.ts'
import { EmailEvent, SIGNATURE_HEADERS } from '../../../adapters/resend/resend.wire.ts'
import { EmailEventReceipt } from './email-events.schema.ts'
import { takeEmailEvent } from './email-events.service.ts'

const LIMIT = 64 * KIB

export const emailEventsRoute = systemRoute({
  method: 'post',
  path: '/public/email/events',
  operationId: 'takeEmailEvent',
  summary: 'What the email provider reports: delivered, bounced, complained',
  description:
    'Signed by `svix-id`, `svix-timestamp` and `svix-signature`, or the same as `webhook-*`, with EMAIL_WEBHOOK_SECRET. The body is as Resend sends it: `{type, created_at, data: {email_id, to, tags?, bounce?}}`. Other types are ignored. A message id has one effect.',
  tag: 'Provider callbacks',
  bodyLimit: LIMIT,
  headers: SIGNATURE_HEADERS,
  rawBody: { 'application/json': EmailEvent },
  response: { status: 200, schema: EmailEventReceipt },
  problems: {
    400: 'The body is no event.',
    401: '`invalid_signature`: unsigned, signed otherwise, or more than 300 s ago.',
    413: 'More than 64 KiB.',
    503: 'Nothing was stored; send it again after `Retry-After`.',
  },
  async handler(system, { c }) {
    const callback = {
      url: c.req.url,
      header: (name: string) => c.req.header(name),
      body: await readBody(c.req.raw, LIMIT),
    }
    await takeReport({ unsigned: 401 }, () => takeEmailEvent(system, callback))
    return { received: true as const }
  },
})
