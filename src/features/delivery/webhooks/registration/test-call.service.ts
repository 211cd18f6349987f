import type { z } from 'zod'
import { audit } from '../../../../platform/audit.ts'
import { OutboundError } from '../../../../platform/ports/ports.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { exampleBody } from '../../events/events.service.ts'
import { unknownEvent } from './subscription.ts'
import { wellFormedUrl } from './target-url.service.ts'
import type { TestResult, TestWebhook } from './webhooks.schema.ts'

const TIMEOUT_MS = 15_000
const UNREACHED = 'The target did not answer.'

/**
 * Posts an unsigned example to a URL and waits for the answer. A blocked, a closed and a filtered target give the same
 * result, so that nobody can explore a network by it.
 */
export async function testWebhook(
  scope: Scope,
  request: z.output<typeof TestWebhook>,
): Promise<z.input<typeof TestResult>> {
  const url = wellFormedUrl(scope, request.url)
  const body = exampleBody(request.event)
  if (body === null) throw unknownEvent('event')
  // Before the call, so that none is without its entry. The address may hold a secret.
  await scope.tx(async (tx) =>
    audit(scope, tx, { action: 'webhook.test', target: null, changes: [{ path: 'event', to: request.event }] }),
  )
  const headers = { 'Content-Type': 'application/json', 'User-Agent': `Earshot/${scope.settings.version}` }
  const started = performance.now()
  try {
    const { status } = await scope.ports.outboundHttp.post({ url, headers, body, timeoutMs: TIMEOUT_MS })
    const ok = status >= 200 && status < 300
    const error = ok ? null : `The target answered ${status}.`
    return { status, ok, latency_ms: Math.round(performance.now() - started), error }
  } catch (error) {
    const reason = error instanceof OutboundError ? error.publicReason : null
    return { status: null, ok: false, latency_ms: null, error: reason ?? UNREACHED }
  }
}
