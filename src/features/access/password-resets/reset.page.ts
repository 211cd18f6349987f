import { html } from 'hono/html'

/** Shows the form for the new password. It posts to the page's own address. */
export function renderReset(problems: string[] = []) {
  return html`<p>All your sessions end when it is set.</p>
${problems.map((problem) => html`<p class="wrong" role="alert">${problem}</p>`)}
<form method="post"><label for="password">Your new password</label><input id="password" name="password" type="password" autocomplete="new-password" required minlength="10" maxlength="200" aria-describedby="rule"><p class="soft" id="rule">At least 10 characters.</p><button type="submit">Set the password</button></form>`
}

export function renderDone() {
  return html`<p role="status">You can sign in with it now.</p>`
}

export function renderGone() {
  return html`<p>It was used, or its hour is over. Ask for a new one where you sign in.</p>`
}
