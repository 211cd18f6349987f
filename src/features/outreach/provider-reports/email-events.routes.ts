import { KIB, readBody } from '../../../http/bodies/body.ts'
import { systemRoute } from '../../../http/routes/route.ts'
import { takeReport } from '../../../http/problems/to-problem.ts'
import { EmailEvent, SIGNATURE_HEADERS } from '../../../adapters/resend/resend.wire.ts'
import { takeEmailEvent } from './email-events.service.ts'
import { z } from 'zod'

const EmailEventReceipt = z.object({ received: z.literal(true) }).meta({ id: 'EmailEventReceipt' })

const LIMIT = 64 * KIB

export const emailEventsRoute = systemRoute({
  method: 'post',
  path: '/public/email/events',
  operationId: 'takeEmailEvent',
  summary: 'Receive reports from the email provider',
  description:
    'Delivered, bounced and complained. Signed by `svix-id`, `svix-timestamp` and `svix-signature`, or by the same ' +
    'headers as `webhook-*`, with EMAIL_WEBHOOK_SECRET. The body is that of Resend: `{type, created_at, data: ' +
    '{email_id, to, tags?, bounce?}}`. Other types are ignored. A repeated message id has no further effect.',
  tag: 'Provider callbacks',
  bodyLimit: LIMIT,
  headers: SIGNATURE_HEADERS,
  rawBody: { 'application/json': EmailEvent },
  audit: ['suppression.create'],
  response: { status: 200, schema: EmailEventReceipt },
  problems: {
    400: 'The body is not an event.',
    401: '`invalid_signature`: the request is unsigned, has a wrong signature, or is older than 300 s.',
    413: 'The body is larger than 64 KiB.',
    503: 'Nothing was stored. Send it again after `Retry-After`.',
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
