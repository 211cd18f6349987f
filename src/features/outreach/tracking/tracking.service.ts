import { notFound } from '../../../http/problem.ts'
import type { Id, TenantId } from '../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import { readSendToken, sendToken } from '../../delivery/sends/send-token.ts'
import { stampSend } from '../../delivery/sends/sends.service.ts'
import { createClickTokens, readClickToken } from './click-token.ts'
import { trackHtml } from './tracked-html.ts'
import { isPerson, type Visit } from './visitors.ts'

/** Leads the http(s) links of a mail by way of us and adds the picture that tells of its opening; the unsubscribe link stays as it is. */
export function addTracking(
  scope: Pick<Scope, 'secrets' | 'settings'>,
  html: string,
  send: { id: Id<'send'>; tenantId: TenantId },
): string {
  const { baseUrl } = scope.settings
  const tokenFor = createClickTokens(scope.secrets, send)
  return trackHtml(html, {
    baseUrl,
    clickUrl: (target) => `${baseUrl}/public/track/click/${tokenFor(target)}`,
    pixelUrl: `${baseUrl}/public/track/open/${sendToken(scope.secrets, 'open', send)}.gif`,
  })
}

/** A mail was opened, as far as its picture can tell. Anything but a token of ours leaves no trace. */
export async function recordOpen(system: SystemScope, token: string, visit: Visit): Promise<void> {
  const ticket = readSendToken(system.secrets, 'open', token)
  if (ticket && isPerson(visit)) await stamp(system, ticket.tenantId, ticket.id, 'opened')
}

/** Where a link of a mail leads. @throws Problem 404 for a token that is not ours. */
export async function followClick(system: SystemScope, token: string, visit: Visit): Promise<string> {
  const click = readClickToken(system.secrets, token)
  if (!click) throw notFound()
  if (isPerson(visit)) await stamp(system, click.tenantId, click.sendId, 'clicked')
  return click.target
}

// Nobody has to wait at a link because it could not be counted.
async function stamp(
  system: SystemScope,
  tenantId: TenantId,
  sendId: Id<'send'>,
  event: 'opened' | 'clicked',
): Promise<void> {
  const scope = system.tenant(tenantId, { type: 'respondent' })
  try {
    await scope.tx((tx) => stampSend(tx, sendId, event, scope.clock.now()))
  } catch (err) {
    scope.log.warn({ err, event }, 'an opening or a click was not counted')
  }
}
