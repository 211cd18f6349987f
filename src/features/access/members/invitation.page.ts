import { html } from 'hono/html'

interface Invited {
  /** In quotes, because another person chose it. */
  workspace: string
  email: string
  hasAccount: boolean
}

/** Shows the form for the account. It posts to the page's own address. */
export function renderInvitation({ workspace, email, hasAccount }: Invited, problems: string[] = []) {
  const password = hasAccount
    ? html`<label for="password">The password of your Earshot account</label><input id="password" name="password" type="password" autocomplete="current-password" required maxlength="200">`
    : html`<label for="name">Your name</label><input id="name" name="name" autocomplete="name" maxlength="120">
<label for="password">A new password</label><input id="password" name="password" type="password" autocomplete="new-password" required minlength="10" maxlength="200" aria-describedby="rule"><p class="soft" id="rule">At least 10 characters.</p>`
  return html`<p>You are invited to work in ${workspace} on Earshot, as ${email}.</p>
${problems.map((problem) => html`<p class="wrong" role="alert">${problem}</p>`)}
<form method="post">${password}<button type="submit">Join</button></form>`
}

export function renderJoined(workspace: string) {
  return html`<p role="status">You are a member of ${workspace}. You can sign in now.</p>`
}

export function renderGone() {
  return html`<p>It was used or withdrawn, or its 7 days are over. Ask for a new one.</p>`
}
