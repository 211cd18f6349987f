import { notFound } from '../../../http/problems/problem.ts'
import type { Id, TenantId } from '../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import { readSendToken, sendToken } from '../../delivery/sends/send-secrets.ts'
import { stampSend } from '../../delivery/sends/sends.service.ts'
import type { RenderedEmail } from '../email-templates/render-email.ts'
import { createClickTokens, readClickToken } from './click-token.ts'
import { trackHtml } from './tracked-html.ts'
import { isFollower, isReader, type Visit } from './visitors.ts'

/**
 * Leads the http(s) links of a mail through our server, except the unsubscribe link, and adds the picture of its
 * opening.
 */
export function addTracking(
  scope: Pick<Scope, 'secrets' | 'settings'>,
  letter: Pick<RenderedEmail, 'html' | 'links'>,
  send: { id: Id<'send'>; tenantId: TenantId },
): Promise<string> {
  const { baseUrl } = scope.settings
  const tokenFor = createClickTokens(scope.secrets, send)
  return trackHtml(letter, {
    baseUrl,
    clickUrl: (target) => `${baseUrl}/public/track/click/${tokenFor(target)}`,
    pixelUrl: `${baseUrl}/public/track/open/${sendToken(scope.secrets, 'open', send)}.gif`,
  })
}

/** Records that the picture of a mail was loaded. A token that is not ours leaves no trace. */
export async function recordOpen(system: SystemScope, token: string, visit: Visit): Promise<void> {
  const ticket = readSendToken(system.secrets, 'open', token)
  if (ticket && isReader(visit)) await stamp(system, ticket.tenantId, ticket.id, 'opened')
}

/** Returns where a link of a mail leads. @throws Problem 404 for a token that is not ours. */
export async function followClick(system: SystemScope, token: string, visit: Visit): Promise<string> {
  const click = readClickToken(system.secrets, token)
  if (!click) throw notFound()
  if (isFollower(visit)) await stamp(system, click.tenantId, click.sendId, 'clicked')
  return click.target
}

// A link works even where its click cannot be counted.
async function stamp(
  system: SystemScope,
  tenantId: TenantId,
  sendId: Id<'send'>,
  event: 'opened' | 'clicked',
): Promise<void> {
  const scope = system.tenant(tenantId, { type: 'respondent' })
  try {
    await scope.tx((tx) => stampSend(scope, tx, sendId, event, scope.clock.now()))
  } catch (err) {
    scope.log.warn({ err, event }, 'an opening or a click was not counted')
  }
}
