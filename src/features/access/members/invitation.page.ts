import { html } from 'hono/html'
import type { InvitationWords } from './invitation-words.ts'

interface Invited {
  /** In quotes, because another person chose it. */
  workspace: string
  email: string
  hasAccount: boolean
  /** The boxes for workspaces to keep. */
  choice: ReturnType<typeof html> | ''
}

type FormWords = InvitationWords & { newPassword: string; rule: string }

/** Shows the form for the account. It posts to the page's own address. */
export function renderInvitation(words: FormWords, { workspace, email, hasAccount, choice }: Invited, wrong?: string) {
  const password = hasAccount
    ? html`<label for="password">${words.ownPassword}</label><input id="password" name="password" type="password" autocomplete="current-password" required maxlength="200">`
    : html`<label for="name">${words.name}</label><input id="name" name="name" autocomplete="name" maxlength="120">
<label for="password">${words.newPassword}</label><input id="password" name="password" type="password" autocomplete="new-password" required minlength="10" maxlength="200" aria-describedby="rule"><p class="soft" id="rule">${words.rule}</p>`
  const invited = words.invited.replace(/\{(workspace|email)\}/g, (_, name) => (name === 'email' ? email : workspace))
  return html`<p>${invited}</p>
${wrong ? html`<p class="wrong" role="alert">${wrong}</p>` : ''}
<form method="post">${password}${choice}<button type="submit">${words.join}</button></form>`
}

export function renderJoined(words: InvitationWords, workspace: string) {
  return html`<p role="status">${words.joined.replace('{workspace}', () => workspace)}</p>
<p><a href="/app">${words.signIn}</a></p>`
}

export function renderGone(words: InvitationWords) {
  return html`<p>${words.invitationEnded}</p>`
}
