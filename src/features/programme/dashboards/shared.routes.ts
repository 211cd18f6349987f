import { spend, type RateLimiters } from '../../../http/rate-limit.ts'
import { notFound } from '../../../http/problem.ts'
import { systemRoute } from '../../../http/route.ts'
import { addressKey } from '../../../platform/network.ts'
import type { SystemScope } from '../../../platform/scope.ts'
import { hashToken } from '../../../platform/secrets.ts'
import { SharedDashboard } from './dashboards.schema.ts'
import { resolveShare } from './shares.resolve.ts'
import { SharePassword } from './shares.schema.ts'
import { readShared } from './shares.service.ts'

const common = {
  path: '/public/dashboards/:token',
  tag: 'Dashboards',
  params: { token: 'text' },
  response: { status: 200, schema: SharedDashboard },
} as const
const GONE = 'The link is unknown, revoked or expired.'

export const readSharedRoute = systemRoute({
  ...common,
  method: 'get',
  operationId: 'getSharedDashboard',
  summary: 'Read a shared dashboard',
  problems: { 401: '`password_required`: send it with POST.', 404: GONE },
  handler: (system, { params: { token } }) => read(system, token, null),
})

export const openSharedRoute = systemRoute({
  ...common,
  method: 'post',
  operationId: 'openSharedDashboard',
  summary: 'Read a shared dashboard that has a password',
  body: SharePassword,
  example: { password: 'correct horse battery' },
  audit: { none: 'It only reads, and its readers have no account.' },
  problems: { 401: '`wrong_password`.', 404: GONE, 429: 'There were too many attempts.' },
  async handler(system, { params: { token }, body, limiters }) {
    await spendAttempt(system, token, limiters)
    return read(system, token, body.password)
  },
})

/** Wrong passwords are limited by link and address, and by address. */
export async function spendAttempt(system: SystemScope, token: string, limiters: RateLimiters): Promise<void> {
  const address = addressKey(system)
  await spend(limiters.signInAddress, address)
  await spend(limiters.signInAccount, hashToken(`${token} ${address}`))
}

async function read(system: SystemScope, token: string, password: string | null) {
  const scope = await resolveShare(system, token)
  if (!scope) throw notFound('dashboard')
  return readShared(scope, token, password)
}
