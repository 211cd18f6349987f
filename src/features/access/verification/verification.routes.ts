import type { AppContext } from '../../../http/context.ts'
import { orGone } from '../../../http/pages/form-page.ts'
import { acceptedLanguage, noticePage } from '../../../http/pages/notice-page.ts'
import { spend } from '../../../http/limits/rate-limit.ts'
import { systemRoute, tenantRoute } from '../../../http/routes/route.ts'
import { hashToken } from '../../../platform/config/secrets.ts'
import { verificationWords, type VerificationWords } from './verification-words.ts'
import { readVerification, sendVerification, verifyMailbox } from './verification.service.ts'
import { z } from 'zod'
import { html } from 'hono/html'
import type { Feature } from '../../../platform/feature.ts'
import { onProven } from './proven.service.ts'

const Verification = z
  .object({ verified: z.boolean().describe('Whether the mailbox is proved.') })
  .meta({ id: 'Verification' })

const VerifyMailbox = z.strictObject({}).meta({ id: 'VerifyMailbox', description: 'Nothing: the token says all.' })

const sendVerificationRoute = tenantRoute({
  method: 'post',
  path: '/me/verification',
  operationId: 'sendVerification',
  summary: 'Send the mail that proves the mailbox again',
  description:
    'The link of the earlier mail ends. The mail is in the language of `Accept-Language`. An API key has no mailbox.',
  tag: 'Sessions',
  headers: ['accept-language'],
  audit: { none: 'It only sends a mail to the caller. The proof is recorded.' },
  response: {
    status: 202,
    schema: Verification,
    description: 'A mail is on its way.',
    also: { status: 200, description: 'The mailbox is proved already, and no mail is sent.' },
  },
  problems: { 403: '`session_required`', 429: 'There were too many mails for this address.' },
  async handler(scope, { c, limiters }) {
    const sent = await sendVerification(scope, acceptedLanguage(c), (email) =>
      spend(limiters.mailAccount, hashToken(email)),
    )
    return sent.verified ? c.json(sent, 200) : sent
  },
})

const getVerificationPageRoute = systemRoute({
  method: 'get',
  path: '/public/verifications/:token',
  operationId: 'getVerificationPage',
  summary: 'Show the page that proves a mailbox',
  description: 'The mail links here. Opening the page proves nothing.',
  tag: 'Sessions',
  params: { token: 'text' },
  headers: ['accept', 'accept-language'],
  response: { status: 200, contentType: 'text/html' },
  problems: { 404: 'The token is unknown, replaced or expired. HTML, unless the client asks for JSON.' },
  handler: (system, { params, c }) =>
    orGone(c, gonePage, async () => {
      const { email } = await readVerification(system, params.token)
      const { language, words } = verificationWords(acceptedLanguage(c))
      return noticePage(c, { language, title: words.confirm, content: renderConfirm(words, email) })
    }),
})

const verifyMailboxRoute = systemRoute({
  method: 'post',
  path: '/public/verifications/:token',
  operationId: 'verifyMailbox',
  summary: 'Prove a mailbox',
  description:
    'Needs no body. Once more changes nothing. If the address has a proven account already, that account takes over ' +
    'the workspaces, and the sessions and keys of the other one end. A form is answered with a page.',
  tag: 'Sessions',
  params: { token: 'text' },
  headers: ['accept', 'accept-language'],
  body: VerifyMailbox,
  example: {},
  optionalBody: true,
  audit: ['user.verify'],
  response: { status: 204 },
  problems: { 404: 'The token is unknown, replaced or expired.' },
  async handler(system, { params }) {
    await verifyMailbox(system, params.token)
  },
  onForm: (system, { params, c }) =>
    orGone(c, gonePage, async () => {
      await verifyMailbox(system, params.token)
      const { language, words } = verificationWords(acceptedLanguage(c))
      return noticePage(c, { language, title: words.confirmed, content: renderConfirmed(words) })
    }),
})

function gonePage(c: AppContext) {
  const { language, words } = verificationWords(acceptedLanguage(c))
  return { language, title: words.gone, content: renderGone(words) }
}

/** Shows the button that proves the mailbox. It posts to the page's own address. */
function renderConfirm(words: VerificationWords, email: string) {
  return html`<p>${words.isYours.replace('{email}', () => email)}</p>
<form method="post"><button type="submit">${words.confirm}</button></form>`
}

function renderConfirmed(words: VerificationWords) {
  return html`<p role="status">${words.mayClose}</p>`
}

function renderGone(words: VerificationWords) {
  return html`<p>${words.ended}</p>`
}

export const verification = {
  name: 'verification',
  listeners: [onProven],
  routes: [sendVerificationRoute, getVerificationPageRoute, verifyMailboxRoute],
} satisfies Feature
