import { KIB, readForm } from '../../../http/body.ts'
import type { AppContext } from '../../../http/context.ts'
import { acceptedLanguage, noticePage } from '../../../http/notice-page.ts'
import { notFound, Problem } from '../../../http/problem.ts'
import { systemRoute } from '../../../http/route.ts'
import type { SystemScope } from '../../../platform/scope.ts'
import { messagesIn, pageLanguage } from './page-messages.ts'
import { renderDashboard, renderPassword } from './shared.page.ts'
import { spendAttempt } from './shared.routes.ts'
import { resolveShare } from './shares.resolve.ts'
import { SharePassword } from './shares.schema.ts'
import { drawShared } from './drawing.service.ts'
import { readShared } from './shares.service.ts'

const page = {
  path: '/public/d/:token',
  tag: 'Dashboards',
  params: { token: 'text' },
  headers: ['accept', 'accept-language'],
  response: { status: 200, contentType: 'text/html' },
} as const
const GONE = 'The link is unknown, revoked or expired. A page.'

export const sharedPageRoute = systemRoute({
  ...page,
  method: 'get',
  operationId: 'getSharedDashboardPage',
  summary: 'Show a shared dashboard as a page',
  description: 'The charts are SVG, and the page needs no script. With a password it is a form first.',
  problems: { 401: 'The page asks for the password.', 404: GONE },
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
  problems: { 401: 'The password is wrong. A page.', 404: GONE, 415: 'The body is not a form.', 429: 'A page.' },
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
  const language = pageLanguage(acceptedLanguage(c))
  const messages = messagesIn(language)
  try {
    await before()
    const scope = await resolveShare(system, token)
    if (!scope) throw notFound('dashboard')
    const shared = await readShared(scope, token, password)
    const content = renderDashboard(await drawShared(shared), { ...shared.period, language })
    return await noticePage(c, { language, title: shared.name, content, isWide: true })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { status } = error
    if (status === 404) return noticePage(c, { status, language, title: messages.gone })
    if (status !== 401 && status !== 429) throw error
    const problem = status === 429 ? messages.busy : password === null ? null : messages.wrong
    return noticePage(c, { status, language, title: messages.password, content: renderPassword(problem, language) })
  }
}
