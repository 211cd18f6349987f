import { html } from 'hono/html'
import { redirectTarget } from '../../../platform/redirect-target.ts'
import { messagesFor, wordsLanguage } from '../../../survey-engine/language/messages.ts'
import { pipeAddress } from '../../../survey-engine/logic/piping.ts'
import type { Html } from './respondent-fields.page.ts'
import { contextOf, layout, speaker } from './respondent-layout.page.ts'
import type { EndView } from './respondent-view.ts'

export function renderEnd(view: EndView): Html {
  const { ending, language, state } = view
  const own = messagesFor(language, view.definition)
  const context = contextOf(view)
  const say = speaker(view, context)
  const title = ending ? say(ending.title) : own('thanks')
  const target = ending?.redirect_url === undefined ? null : redirectTarget(pipeAddress(ending.redirect_url, context))
  const message =
    state === 'over_quota' ? own('full') : ending ? say(ending.message ?? '') : view.notice ? '' : own('received')
  return layout(
    language,
    view.brand,
    title,
    html`${view.notice ? html`<p class="notice" role="note">${own(view.notice)}</p>` : ''}<section class="notice" role="status"><h1>${title}</h1>${message && html`<p>${message}</p>`}${target ? html`<p class="actions"><a class="button" href="${target}" rel="noopener noreferrer" target="_top">${own('go_on')}</a></p>` : ''}</section>`,
  )
}

export interface Refusal {
  status: number
  code: string
  detail: string
  opensAt: string | undefined
  /** Shown if the operator has to look into the log. */
  requestId: string | undefined
}

/** Explains in the respondent's language why there is nothing to answer, or why an answer was refused. */
export function renderRefusal(refusal: Refusal, asked: string): Html {
  const language = wordsLanguage(asked)
  const own = messagesFor(language)
  const { opensAt, requestId } = refusal
  const date =
    opensAt === undefined
      ? ''
      : new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(opensAt))
  const text = own(reasonOf(refusal), { date })
  const reference =
    requestId === undefined ? '' : html`<p class="hint">${own('reference')} <code>${requestId}</code></p>`
  return layout(language, null, text, html`<section class="notice"><h1>${text}</h1>${reference}</section>`)
}

function reasonOf({ status, code, detail, opensAt }: Refusal) {
  switch (code) {
    case 'already_answered':
    case 'already_completed':
      return 'already'
    case 'link_required':
    case 'link_unknown':
    case 'link_expired':
      return code
    case 'survey_not_open':
      if (opensAt !== undefined) return 'not_yet'
      if (detail.includes('paused')) return 'paused'
      return detail.includes('all the responses') ? 'full' : 'closed'
  }
  if (status === 404) return 'gone'
  if (status === 413) return 'too_large'
  if (status === 429) return 'too_many'
  if (status === 503) return 'unavailable'
  return status >= 500 ? 'failed' : 'unreadable'
}
