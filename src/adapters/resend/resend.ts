import { Pool } from 'undici'
import { checkMessage, formatSender } from '../../platform/ports/email-message.ts'
import type { EmailAdapter } from '../../platform/ports/email-port.ts'
import { ProviderError, type Accepted, type Verdict } from '../../platform/ports/provider.ts'
import { retryAfterSeconds } from '../../platform/loop/retry.ts'
import type { Secret } from '../../platform/config/secrets.ts'
import { VOC_DELIVERY } from './resend.wire.ts'

const TIMEOUT_MS = 15_000
const LONGEST_ANSWER = 65_536
// These are about this message. Those about the account (401, 403, 404), the moment (408) or Resend itself may pass.
const FINAL = [400, 413, 422, 451]

/** Sends by Resend's REST API (https://resend.com/docs/api-reference/emails/send-email). */
export function createResendEmail(options: { from: string; apiKey: Secret | null; baseUrl: string }): EmailAdapter {
  const { origin, pathname } = new URL(options.baseUrl)
  const pool = new Pool(origin, {
    connections: 16,
    connectTimeout: TIMEOUT_MS,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    maxResponseSize: LONGEST_ANSWER,
  })
  return {
    async send(message): Promise<Accepted> {
      if (!options.apiKey) throw new ProviderError('resend_not_configured', 'not_taken')
      const { from, to, subject, text, html, attachments, replyTo, headers, tag, idempotencyKey } = checkMessage(
        message,
        options.from,
      )
      const {
        statusCode,
        headers: answered,
        body,
      } = await pool.request({
        method: 'POST',
        path: `${pathname.replace(/\/$/, '')}/emails`,
        headers: {
          authorization: `Bearer ${options.apiKey.reveal()}`,
          'content-type': 'application/json',
          'idempotency-key': idempotencyKey,
          // Resend refuses requests without one.
          'user-agent': 'Earshot',
        },
        body: JSON.stringify({
          from: formatSender(from),
          to: [to],
          subject,
          text,
          html,
          attachments:
            attachments.length === 0
              ? undefined
              : attachments.map(({ name, type, contentId, base64 }) => ({
                  filename: name,
                  content_type: type,
                  content_id: contentId,
                  content: base64,
                })),
          reply_to: replyTo,
          headers,
          tags: tag === undefined ? undefined : [{ name: VOC_DELIVERY, value: tag }],
        }),
      })
      const answer = readAnswer(await body.text())
      if (statusCode < 300 && answer.id !== null) return { providerId: answer.id }
      // Resend remembers a key only with an email that it took: it took this one before its template changed. Its
      // events carry our tag.
      if (statusCode === 409 && answer.name === 'invalid_idempotent_request') return { providerId: null }
      throw new ProviderError(
        `resend_${answer.name ?? statusCode}`,
        verdictOf(statusCode),
        retryAfterSeconds(answered['retry-after']),
      )
    },
    close: () => pool.close(),
  }
}

function verdictOf(status: number): Verdict {
  if (status === 429) return 'throttled'
  return FINAL.includes(status) ? 'refused' : 'unknown'
}

function readAnswer(text: string): { id: string | null; name: string | null } {
  let parsed: { id?: unknown; name?: unknown } = {}
  try {
    parsed = (JSON.parse(text) ?? {}) as typeof parsed
  } catch {
    // A proxy on the way answered in its own words.
  }
  const { id, name } = parsed
  return {
    id: typeof id === 'string' && id !== '' ? id : null,
    name: typeof name === 'string' && /^[a-z_]{1,40}$/.test(name) ? name : null,
  }
}
