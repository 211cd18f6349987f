import { KIB, readForm } from '../../../../http/bodies/body.ts'
import type { AppContext } from '../../../../http/context.ts'
import { acceptedLanguage, noticePage, sendWidePage, widePage } from '../../../../http/pages/notice-page.ts'
import { notFound, Problem } from '../../../../http/problems/problem.ts'
import { spend, type RateLimiters } from '../../../../http/limits/rate-limit.ts'
import { systemRoute } from '../../../../http/routes/route.ts'
import { addressKey } from '../../../../platform/networks.ts'
import type { Id } from '../../../../platform/ids.ts'
import { dayIn } from '../../../../platform/look/day-names.ts'
import type { Scope, SystemScope } from '../../../../platform/scope.ts'
import { hashToken } from '../../../../platform/config/secrets.ts'
import { SharedDashboard, SharePassword } from '../dashboards.schema.ts'
import { publicKey, readPublicData } from '../dashboards.service.ts'
import { drawShared } from '../drawing/drawing.service.ts'
import { messagesIn } from '../page-messages.ts'
import { readTogether } from '../readings.ts'
import { dashboardStyle, renderDashboard, renderOwner, renderPassword } from './shared.page.ts'
import { openShare, resolveShare, readOwner, readShared } from './shares.service.ts'

const common = {
  path: '/public/dashboards/:token',
  tag: 'Dashboards',
  params: { token: 'text' },
  response: { status: 200, schema: SharedDashboard },
} as const
const BUSY = '`busy`: too many others wait for their charts. A page.'
const SLOW = '`busy`: the figures take too long.'
const GONE = 'The link is unknown, revoked or expired.'

export const readSharedRoute = systemRoute({
  ...common,
  method: 'get',
  operationId: 'getSharedDashboard',
  summary: 'Read a shared dashboard',
  problems: { 401: '`password_required`: send it with POST.', 404: GONE, 503: SLOW },
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
  problems: { 401: '`wrong_dashboard_password`.', 404: GONE, 429: 'There were too many attempts.', 503: SLOW },
  async handler(system, { params: { token }, body, limiters }) {
    await spendAttempt(system, token, limiters)
    return read(system, token, body.password)
  },
})

const page = {
  path: '/public/d/:token',
  tag: 'Dashboards',
  params: { token: 'text' },
  headers: ['accept', 'accept-language'],
  response: { status: 200, contentType: 'text/html' },
} as const
export const sharedPageRoute = systemRoute({
  ...page,
  method: 'get',
  operationId: 'getSharedDashboardPage',
  summary: 'Show a shared dashboard as a page',
  description:
    'The charts are SVG, and the page needs no script. If the link has a password, the page asks for it first.',
  problems: { 401: 'The page asks for the password.', 404: `${GONE} A page.`, 503: BUSY },
  handler: (system, { params: { token }, c }) => show(system, c, token, null),
})

export const openSharedPageRoute = systemRoute({
  ...page,
  method: 'post',
  operationId: 'openSharedDashboardPage',
  summary: 'Show a shared dashboard with the form of its page',
  rawBody: { 'application/x-www-form-urlencoded': SharePassword },
  bodyLimit: 64 * KIB,
  audit: { none: 'It only reads, and its readers have no account.' },
  problems: {
    401: 'The password is wrong. A page.',
    404: `${GONE} A page.`,
    415: 'The body is not a form.',
    429: 'A page.',
    503: BUSY,
  },
  async handler(system, { params: { token }, c, limiters }) {
    const { password = '' } = await readForm(c.req.raw, 64 * KIB)
    return show(system, c, token, password, () => spendAttempt(system, token, limiters))
  },
})

async function show(
  system: SystemScope,
  c: AppContext,
  token: string,
  password: string | null,
  before: () => Promise<void> = async () => {},
): Promise<Response> {
  const language = acceptedLanguage(c)
  const messages = messagesIn(language)
  try {
    await before()
    const scope = await resolveShare(system, token)
    if (!scope) throw notFound('dashboard')
    return sendWidePage(c, await makePage(scope, await openShare(scope, token, password), language))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { status } = error
    if (status === 404) return noticePage(c, { status, language, title: messages.gone })
    if (status !== 401 && status !== 429) throw error
    const problem = status === 429 ? messages.busy : password === null ? null : messages.wrong
    const content = renderPassword(problem, language)
    return noticePage(c, { status, language, title: messages.password, content, hasReference: problem !== null })
  }
}

/** Visits at the same time share one page of each language. */
async function makePage(scope: Scope, id: Id<'dashboard'>, language: string): Promise<Uint8Array<ArrayBuffer>> {
  return readTogether(scope.caches, `${await publicKey(scope, id)} ${language}`, async () => {
    const shared = await readPublicData(scope, id)
    const owner = await readOwner(scope)
    const today = dayIn(shared.period.timezone, scope.clock.now())
    const drawn = await drawShared(scope.tenantId, scope.caches, shared, { language, today })
    const content = await renderDashboard(drawn, { period: shared.period, language, today })
    return widePage({ language, title: shared.name, above: renderOwner(owner), content }, dashboardStyle(owner))
  })
}

/** Wrong passwords are limited by link and address, and by address. */
async function spendAttempt(system: SystemScope, token: string, limiters: RateLimiters): Promise<void> {
  const address = addressKey(system)
  await spend(limiters.signInAddress, address)
  await spend(limiters.signInAccount, hashToken(`${token} ${address}`))
}

async function read(system: SystemScope, token: string, password: string | null) {
  const scope = await resolveShare(system, token)
  if (!scope) throw notFound('dashboard')
  return readShared(scope, token, password)
}
