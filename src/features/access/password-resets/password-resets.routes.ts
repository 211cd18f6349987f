import { KIB, readForm } from '../../../http/bodies/body.ts'
import type { AppContext } from '../../../http/context.ts'
import { correctable, orGone, chosenWorkspaces, renderWorkspaceChoice } from '../../../http/pages/form-page.ts'
import { acceptedLanguage, noticePage } from '../../../http/pages/notice-page.ts'
import { passwordProblem, passwordWords } from '../../../http/pages/password-words.ts'
import { spend } from '../../../http/limits/rate-limit.ts'
import { parse } from '../../../http/bodies/parse-body.ts'
import { systemRoute } from '../../../http/routes/route.ts'
import { addressKey } from '../../../platform/networks.ts'
import { hashToken } from '../../../platform/config/secrets.ts'
import { resetWords, type ResetWords } from './reset-words.ts'
import { readReset, requestPasswordReset, resetPassword, type OpenReset } from './password-resets.service.ts'
import { z } from 'zod'
import { html } from 'hono/html'
import { Email, KeepWorkspaces, NewPassword } from '../users/users.schema.ts'

const RequestPasswordReset = z.object({ email: Email }).meta({ id: 'RequestPasswordReset' })

const ResetPassword = z.object({ password: NewPassword, keep_workspaces: KeepWorkspaces }).meta({ id: 'ResetPassword' })

export const requestPasswordResetRoute = systemRoute({
  method: 'post',
  path: '/public/password-resets',
  operationId: 'requestPasswordReset',
  summary: 'Request a mail to set a new password',
  description:
    'The answer is the same for known and unknown addresses. The token in the mail works once, for one hour. The mail ' +
    'is in the language of `Accept-Language`.',
  tag: 'Sessions',
  headers: ['accept-language'],
  body: RequestPasswordReset,
  example: { email: 'ada@example.com' },
  audit: { none: 'It only stores the request, so that nobody learns who has an account. Its use is recorded.' },
  response: { status: 202, description: 'If the address has an account, a mail is on its way.' },
  problems: { 429: 'There were too many attempts.' },
  async handler(system, { body, limiters, c }) {
    await spend(limiters.mailAddress, addressKey(system))
    await spend(limiters.mailAccount, hashToken(body.email))
    await requestPasswordReset(system, body.email, acceptedLanguage(c))
  },
})

export const getResetPageRoute = systemRoute({
  method: 'get',
  path: '/public/password-resets/:token',
  operationId: 'getPasswordResetPage',
  summary: 'Show the page to set a new password',
  description: 'The mail links here. Opening the page does not use the token.',
  tag: 'Sessions',
  params: { token: 'text' },
  headers: ['accept', 'accept-language'],
  response: { status: 200, contentType: 'text/html' },
  problems: { 404: 'The token is unknown, used or expired. HTML, unless the client asks for JSON.' },
  handler: (system, { params, c }) =>
    orGone(c, gonePage, async () => {
      const reset = await readReset(system, params.token)
      const { language, words } = resetWords(acceptedLanguage(c))
      return noticePage(c, { language, title: words.reset, content: formFor(language, reset) })
    }),
})

export const resetPasswordRoute = systemRoute({
  method: 'post',
  path: '/public/password-resets/:token',
  operationId: 'resetPassword',
  summary: 'Set a new password',
  description:
    'All sessions of the person end, in every workspace. The mailbox is proved: if it was not before, all earlier API keys ' +
    'end too, and only the workspaces in `keep_workspaces` stay. A form is answered with a page.',
  tag: 'Sessions',
  params: { token: 'text' },
  headers: ['accept', 'accept-language'],
  body: ResetPassword,
  example: { password: 'correct horse battery' },
  audit: ['user.reset_password'],
  response: { status: 204 },
  problems: { 404: 'The token is unknown, used or expired.' },
  async handler(system, { params, body }) {
    await resetPassword(system, params.token, body.password, body.keep_workspaces)
  },
  onForm: (system, { params: { token }, c }) =>
    orGone(c, gonePage, async () => {
      const reset = await readReset(system, token)
      const { language, words } = resetWords(acceptedLanguage(c))
      try {
        const fields = await readForm(c.req.raw, 64 * KIB)
        const { password } = parse(ResetPassword, { password: fields['password'] })
        await resetPassword(system, token, password, chosenWorkspaces(fields))
        return noticePage(c, { language, title: words.isSet, content: renderDone(words) })
      } catch (error) {
        const status = correctable(error)
        if (status === null) throw error
        const content = formFor(language, reset, passwordProblem(language, status))
        return noticePage(c, { language, status, title: words.reset, content })
      }
    }),
})

function formFor(language: string, { claimed }: OpenReset, wrong?: string) {
  return renderReset(
    { ...resetWords(language).words, ...passwordWords(language) },
    renderWorkspaceChoice(language, claimed),
    wrong,
  )
}

function gonePage(c: AppContext) {
  const { language, words } = resetWords(acceptedLanguage(c))
  return { language, title: words.resetGone, content: renderGone(words) }
}

/** Shows the form for the new password. It posts to the page's own address. */
function renderReset(
  words: ResetWords & { newPassword: string; rule: string },
  choice: ReturnType<typeof html> | '',
  wrong?: string,
) {
  return html`<p>${words.sessionsEnd}</p>
${wrong ? html`<p class="wrong" role="alert">${wrong}</p>` : ''}
<form method="post"><label for="password">${words.newPassword}</label><input id="password" name="password" type="password" autocomplete="new-password" required minlength="10" maxlength="200" aria-describedby="rule"><p class="soft" id="rule">${words.rule}</p>${choice}<button type="submit">${words.set}</button></form>`
}

function renderDone(words: ResetWords) {
  return html`<p role="status">${words.signIn}</p>`
}

function renderGone(words: ResetWords) {
  return html`<p>${words.resetEnded}</p>`
}
