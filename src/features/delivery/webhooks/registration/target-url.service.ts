import { unprocessable } from '../../../../http/problems/problem.ts'
import type { ReadTx } from '../../../../platform/database/database.ts'
import { BlockedUrlError } from '../../../../platform/ports/ports.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { isOpenReceiver } from './webhooks.store.ts'
import { isReceiverUrl, receiverAt } from './receiver-url.ts'

/** The URL as it is stored. @throws Problem 422 when no webhook may have it. */
export function wellFormedUrl(scope: Scope, text: string): string {
  const url = URL.canParse(text) && /^https?:\/\//i.test(text) ? new URL(text) : null
  if (!url) throw refused('Use an absolute http(s) URL, such as https://example.com/hooks.')
  if (scope.settings.webhooks.httpsOnly && url.protocol !== 'https:')
    throw refused('Use https. This server allows nothing else.')
  if (url.username || url.password)
    throw refused('Remove the user name and password from the URL. Verify the signature instead.')
  url.hash = ''
  return url.toString()
}

/**
 * The same, and @throws Problem 422 when its address may not be called. A test receiver of the workspace may have any.
 */
export async function checkedUrl(scope: Scope, text: string): Promise<string> {
  if (isReceiverUrl(scope.settings.baseUrl, text)) {
    await scope.read((tx) => requireOpenReceiver(scope, tx, text))
    return text
  }
  const url = wellFormedUrl(scope, text)
  try {
    await scope.ports.outboundHttp.check(url)
  } catch (error) {
    if (!(error instanceof BlockedUrlError)) throw error
    throw blocked()
  }
  return url
}

/** @throws Problem 422, as for a blocked address, unless a test receiver of the workspace has this one. */
export async function requireOpenReceiver(scope: Scope, tx: ReadTx, url: string): Promise<void> {
  const id = receiverAt(scope.settings.baseUrl, url)
  if (!id || !(await isOpenReceiver(tx, id, scope.clock.now()))) throw blocked()
}

function blocked() {
  const message = 'This address is private or reserved. The operator can allow ranges with WEBHOOK_ALLOW_CIDRS.'
  return unprocessable('blocked_url', [{ path: 'url', message }])
}

function refused(message: string) {
  return unprocessable('invalid_url', [{ path: 'url', message }])
}
