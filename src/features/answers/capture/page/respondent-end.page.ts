import { html } from 'hono/html'
import { bestLanguage } from '../../../../platform/wishes.ts'
import { redirectTarget } from '../../../../platform/look/redirect-target.ts'
import { BUILT_IN, messagesFor } from '../../../../survey-engine/language/messages.ts'
import type { SurveyDefinition } from '../../../../survey-engine/model/definition.ts'
import { pipeAddress } from '../../../../survey-engine/logic/piping.ts'
import { languageFor } from '../../../../survey-engine/language/nearest.ts'
import type { Html } from './respondent-fields.page.ts'
import { contextOf, layout, speaker } from './respondent-layout.page.ts'
import type { Brand, EndBadge, EndView } from './respondent-view.ts'
import { dateFormat } from '../../../../platform/text/formats.ts'

/** @param badge the picture that people may share. */
export function renderEnd(view: EndView, badge: EndBadge | null): Html {
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
    html`${view.notice ? html`<p class="notice" role="note">${own(view.notice)}</p>` : ''}<section class="notice" role="status"><h1>${title}</h1>${message && html`<p>${message}</p>`}${target ? html`<p class="actions"><a class="button" href="${target}" rel="noopener noreferrer" target="_top">${own('go_on')}</a></p>` : ''}</section>${badge ? shared(badge, own('share')) : ''}`,
  )
}

// The script makes the link a button that shares, or copies the address.
function shared({ address, alt, style }: EndBadge, words: string): Html {
  return html`<figure class="badge"><img class="${style}" src="${address}" alt="${alt}"><p><a class="button quiet share" href="${address}" target="_blank" rel="noopener noreferrer">${words}</a></p></figure>`
}

export interface Refusal {
  status: number
  code: string
  /** Why a survey is not open. */
  reason: unknown
  opensAt: string | undefined
  requestId: string
}

/** The survey that takes no answer. */
interface Refusing {
  brand: Brand
  definition: SurveyDefinition
}

/**
 * Explains in the respondent's language why there is nothing to answer, or why an answer was refused. The first
 * line of a survey's own text is the heading, and the rest is a paragraph.
 * @param wishes languages of the respondent, the most wanted first.
 * @param survey null for a stranger, or a failure.
 */
export function renderRefusal(refusal: Refusal, wishes: string[], survey: Refusing | null): Html {
  const reason = reasonOf(refusal)
  const language = languageOf(reason, wishes, survey)
  const own = messagesFor(language, survey?.definition)
  const { status, opensAt, requestId } = refusal
  const date = opensAt === undefined ? '' : dateIn(language, new Date(opensAt))
  const [text = '', ...more] = own(reason, { date }).split('\n')
  const rest = more.join('\n').trim()
  // A survey that is closed needs no help.
  const mark = survey && status < 500 ? '' : html`<p class="mark">${own('reference')} ${requestId}</p>`
  return layout(
    language,
    survey?.brand ?? null,
    text,
    html`<section class="notice"><h1>${text}</h1>${rest && html`<p>${rest}</p>`}${mark}</section>`,
  )
}

/** A language in which the survey has its own words for the reason, else one of ours. */
function languageOf(reason: string, wishes: string[], survey: Refusing | null): string {
  const said = Object.entries(survey?.definition.messages ?? {})
    .filter(([, words]) => Object.hasOwn(words, reason))
    .map(([tag]) => tag)
  const language = survey && languageFor({ ...survey.definition, languages: said }, wishes)
  return language && said.includes(language) ? language : (bestLanguage(wishes, Object.keys(BUILT_IN)) ?? 'en')
}

function dateIn(language: string, date: Date): string {
  const options = { dateStyle: 'long', timeZone: 'UTC' } as const
  try {
    return dateFormat(language, options).format(date)
  } catch {
    // The tag of a survey's own language may be none that the platform knows.
    return dateFormat('en', options).format(date)
  }
}

function reasonOf({ status, code, reason, opensAt }: Refusal) {
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
      return reason === 'paused' || reason === 'full' ? reason : 'closed'
  }
  if (status === 404) return 'gone'
  if (status === 413) return 'too_large'
  if (status === 429) return 'too_many'
  if (status === 503) return 'unavailable'
  return status >= 500 ? 'failed' : 'unreadable'
}
