import type { z } from 'zod'
import type { EmailCallbacksPort, EmailEvent as NeutralEvent } from '../../platform/ports/email-port.ts'
import { CallbackError, type Callback } from '../../platform/ports/provider.ts'
import type { Secret } from '../../platform/config/secrets.ts'
import { AnyEvent, EmailEvent, VOC_DELIVERY } from './resend.wire.ts'
import { isSigned } from './signature.ts'

const KINDS = new Map<string, NeutralEvent['kind']>([
  ['email.delivered', 'delivered'],
  ['email.bounced', 'bounced'],
  ['email.complained', 'complained'],
  ['email.failed', 'failed'],
  ['email.suppressed', 'suppressed'],
])

interface Options {
  secret: Secret | null
  /** Refuse every event while there is no secret to check it with. */
  requireSigned: boolean
}

/** Reads Resend's events, which any other sender may send in the same form. */
export function createResendCallbacks({ secret, requireSigned }: Options): EmailCallbacksPort {
  return {
    read(callback, now) {
      const header = (name: string) => callback.header(`svix-${name}`) ?? callback.header(`webhook-${name}`) ?? ''
      const signed = {
        id: header('id'),
        timestamp: header('timestamp'),
        signatures: header('signature'),
        body: callback.body,
      }
      const accepted = secret === null ? !requireSigned : isSigned(signed, secret.reveal(), now)
      if (!accepted) throw new CallbackError('unsigned')
      const value = parseJson(callback)
      const kind = KINDS.get(parseAs(AnyEvent, value).type)
      if (kind === undefined) return null
      const { data, created_at } = parseAs(EmailEvent, value)
      return {
        kind,
        eventId: signed.id,
        providerId: data.email_id,
        tag: tagOf(data.tags),
        at: new Date(created_at ?? ''),
      }
    },
  }
}

function parseJson({ body }: Callback): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new CallbackError('malformed', [{ path: '', message: 'The body is not valid JSON.' }])
  }
}

function parseAs<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  // Names only the place: the value there may name a recipient.
  throw new CallbackError(
    'malformed',
    result.error.issues.map(({ path }) => ({
      path: path.map(String).join('.'),
      message: 'This is missing or has the wrong form.',
    })),
  )
}

function tagOf(tags: z.output<typeof EmailEvent>['data']['tags']): string | null {
  const value = Array.isArray(tags) ? tags.find(({ name }) => name === VOC_DELIVERY)?.value : tags?.[VOC_DELIVERY]
  return typeof value === 'string' ? value : null
}
