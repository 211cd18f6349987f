import { KIB, readForm } from '../../../http/bodies/body.ts'
import type { AppContext } from '../../../http/context.ts'
import { correctable, orGone, chosenWorkspaces, renderWorkspaceChoice } from '../../../http/pages/form-page.ts'
import { acceptedLanguage, noticePage } from '../../../http/pages/notice-page.ts'
import { passwordProblem, passwordWords } from '../../../http/pages/password-words.ts'
import { notFound } from '../../../http/problems/problem.ts'
import { spend } from '../../../http/limits/rate-limit.ts'
import { parse } from '../../../http/bodies/parse-body.ts'
import { systemRoute } from '../../../http/routes/route.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import { hashToken } from '../../../platform/config/secrets.ts'
import { invitationWords } from './invitation-words.ts'
import { renderGone, renderInvitation, renderJoined } from './invitation.page.ts'
import { resolveInvitation, joinByInvitation, readInvitation } from './invitations.service.ts'
import { AcceptInvitation } from './members.schema.ts'

const params = { token: 'text' } as const
const page = {
  tag: 'Members',
  params,
  headers: ['accept', 'accept-language'] as const,
  response: { status: 200, contentType: 'text/html' },
}
const GONE = 'The token is unknown, used, withdrawn or expired. HTML, unless the client asks for JSON.'

export const getInvitationPageRoute = systemRoute({
  ...page,
  method: 'get',
  path: '/public/invitations/:token',
  operationId: 'getMemberInvitationPage',
  summary: 'Show the page to accept an invitation',
  description: 'The invitation mail links here. Opening the page does not use the token.',
  problems: { 404: GONE },
  handler: (system, { params: { token }, c }) =>
    orGone(c, gonePage, async () => ask(c, await requireInvitation(system, token), token)),
})

export const postInvitationPageRoute = systemRoute({
  ...page,
  method: 'post',
  path: '/public/invitations/:token',
  operationId: 'acceptMemberInvitationByForm',
  summary: 'Accept an invitation with the form of the page',
  description:
    'Form-encoded: `password`, `name` for a new account, and `keep_` with the id of each workspace to keep. The answer is a page. `POST ' +
    '/public/invitations/{token}/accept` takes JSON and signs in.',
  rawBody: { 'application/x-www-form-urlencoded': AcceptInvitation },
  bodyLimit: 64 * KIB,
  audit: ['member.join'],
  problems: { 404: GONE, 415: 'The body is not a form.' },
  handler: (system, { params: { token }, c, limiters }) =>
    orGone(c, gonePage, async () => {
      const scope = await requireInvitation(system, token)
      const { workspace } = await readInvitation(system, scope, token)
      try {
        const fields = await readForm(c.req.raw, 64 * KIB)
        const { name, password } = fields
        await spend(limiters.signInAccount, hashToken(token))
        await joinByInvitation(
          system,
          scope,
          token,
          parse(AcceptInvitation, { ...(name && { name }), password, keep_workspaces: chosenWorkspaces(fields) }),
        )
        const { language, words } = invitationWords(acceptedLanguage(c))
        return noticePage(c, { language, title: words.welcome, content: renderJoined(words, workspace) })
      } catch (error) {
        const status = correctable(error)
        if (status === null) throw error
        return ask(c, scope, token, status)
      }
    }),
})

async function requireInvitation(system: SystemScope, token: string): Promise<Scope> {
  const tenantId = await resolveInvitation(system, token)
  if (!tenantId) throw notFound()
  return system.tenant(tenantId, { type: 'respondent' })
}

async function ask(c: AppContext, scope: Scope, token: string, status = 200): Promise<Response> {
  const { language, words } = invitationWords(acceptedLanguage(c))
  const wrong = status === 200 ? undefined : passwordProblem(language, status)
  const invited = await readInvitation(c.get('system'), scope, token)
  const choice = renderWorkspaceChoice(language, invited.claimed)
  const content = renderInvitation({ ...words, ...passwordWords(language) }, { ...invited, choice }, wrong)
  return noticePage(c, { status, language, title: words.invitation, content })
}

function gonePage(c: AppContext) {
  const { language, words } = invitationWords(acceptedLanguage(c))
  return { language, title: words.invitationGone, content: renderGone(words) }
}
