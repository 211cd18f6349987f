import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'
import { formatId } from '../../platform/ids.ts'
import { redirectTarget } from '../../platform/redirect-target.ts'
import type { LocalizedText } from '../../survey-engine/definition.ts'
import { pipe, pipeAddress, type PipingContext } from '../../survey-engine/piping.ts'
import { localize } from '../../survey-engine/text.ts'
import { drawFields, isSingleControl, type Html } from './respondent-fields.page.ts'
import { refusalWordsIn } from './refusal-words.ts'
import { messagesIn } from './respondent-messages.ts'
import { STYLE } from './respondent-style.ts'
import type { EndView, FormView } from './respondent-view.ts'

const RIGHT_TO_LEFT = new Set(['ar', 'dv', 'fa', 'he', 'ku', 'ps', 'sd', 'ug', 'ur', 'yi'])

/** No script, no font, nothing from elsewhere but the pictures that a survey names; it may stand in a frame. */
export const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; img-src 'self' https: http:; form-action 'self'; base-uri 'none'; frame-ancestors *`,
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex',
}

export function renderForm(view: FormView): Html {
  const { definition, language, evaluation, fields, errors, page } = view
  const messages = messagesIn(language)
  const say = speaker(view)
  const questions = view.questions.flatMap((id) => definition.questions.filter((question) => question.id === id))
  const heading = questions[0] ? say(questions[0].title) : ''
  const wrong = questions.filter(({ id }) => errors.has(id))
  return layout(
    language,
    `${wrong.length > 0 ? '⚠ ' : ''}${heading.slice(0, 80)}`,
    html`
<form method="post" action="/public/s/${formatId('survey', view.surveyId)}" novalidate>
${languageSwitch(view)}
${page > 0 ? html`<p class="page">${messages.page(page + 1)}</p>` : ''}
${wrong.length > 0 ? html`<div class="summary" role="alert"><p>${messages.errors(wrong.length)}</p><ul>${wrong.map((question) => html`<li><a href="#q-${question.id}">${say(question.title)}</a></li>`)}</ul></div>` : ''}
${questions.map((question) => {
  const required = evaluation.required.includes(question.id)
  const error = errors.get(question.id)
  const description = question.description === undefined ? '' : say(question.description)
  const describedBy = [description && `d-${question.id}`, error && `e-${question.id}`].filter(Boolean).join(' ')
  const drawing = { question, fields, messages, required, invalid: error !== undefined, describedBy, say }
  const mark = required ? html` <span class="mark">${messages.required}</span>` : ''
  const rest = html`${description && html`<p class="hint" id="d-${question.id}">${description}</p>`}${error && html`<p class="error" id="e-${question.id}">${error}</p>`}${drawFields(drawing)}`
  const kind = error ? 'question wrong' : 'question'
  if (question.type === 'statement') return html`<section class="${kind}" id="q-${question.id}"><h2>${say(question.title)}</h2>${rest}</section>`
  if (question.type === 'consent') return html`<section class="${kind}" id="q-${question.id}">${rest}</section>`
  if (isSingleControl(question))
    return html`<section class="${kind}" id="q-${question.id}"><h2><label for="${question.id}">${say(question.title)}</label>${mark}</h2>${rest}</section>`
  return html`<fieldset class="${kind}" id="q-${question.id}"${describedBy ? html` aria-describedby="${describedBy}"` : ''}><legend>${say(question.title)}${mark}</legend>${rest}</fieldset>`
})}
${view.hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<p class="actions"><button type="submit" name="_next" value="1">${isLast(view) ? messages.send : messages.next}</button>${page > 0 ? html`<button type="submit" name="_back" value="1" class="quiet" formnovalidate>${messages.back}</button>` : ''}</p>
</form>`,
  )
}

// Enter in a field presses a form's first button, which must not be a language.
function languageSwitch({ languages, language }: FormView): Html | '' {
  if (languages.length < 2) return ''
  return html`<button class="enter" type="submit" name="_next" value="1" tabindex="-1" aria-hidden="true"></button>
<nav aria-label="Language">${languages.map((lang) => (lang === language ? html`<strong lang="${lang}">${nameOf(lang)}</strong>` : html`<button class="language" type="submit" name="_switch" value="${lang}" lang="${lang}" formnovalidate>${nameOf(lang)}</button>`))}</nav>`
}

export function renderEnd(view: EndView): Html {
  const { ending, language, state } = view
  const messages = messagesIn(language)
  const say = speaker(view)
  const title = ending ? say(ending.title) : messages.thanks
  const target = ending?.redirect_url === undefined ? null : redirectTarget(pipeAddress(ending.redirect_url, contextOf(view)))
  const message = state === 'over_quota' ? messages.full : ending ? say(ending.message ?? '') : messages.received
  return layout(
    language,
    title,
    html`<section class="notice" role="status"><h1>${title}</h1>${message && html`<p>${message}</p>`}${target ? html`<p class="actions"><a class="button" href="${target}" rel="noopener noreferrer" target="_top">${messages.goOn}</a></p>` : ''}</section>`,
  )
}

export interface Refusal {
  status: number
  code: string
  detail: string
  opensAt: string | undefined
  /** Shown where somebody has to look into the log. */
  requestId: string | undefined
}

/** Why there is nothing to answer, or why an answer was not taken. */
export function renderRefusal(refusal: Refusal, language: string): Html {
  const text = refusalText(refusal, language)
  const { reference } = refusalWordsIn(language)
  return layout(
    language,
    text,
    html`<section class="notice"><h1>${text}</h1>${refusal.requestId === undefined ? '' : html`<p class="hint">${reference} <code>${refusal.requestId}</code></p>`}</section>`,
  )
}

function refusalText({ status, code, detail, opensAt }: Refusal, language: string): string {
  const messages = messagesIn(language)
  const words = refusalWordsIn(language)
  switch (code) {
    case 'already_answered':
    case 'already_completed':
      return messages.already
    case 'link_required':
      return words.linkRequired
    case 'link_unknown':
      return words.linkUnknown
    case 'link_expired':
      return words.linkExpired
    case 'survey_not_open':
      if (opensAt !== undefined) return messages.notYet(new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(opensAt)))
      if (detail.includes('paused')) return messages.paused
      return detail.includes('all the responses') ? messages.full : messages.closed
  }
  if (status === 404) return messages.gone
  if (status === 413) return words.tooLarge
  if (status === 429) return words.tooMany
  if (status === 503) return words.unavailable
  return status >= 500 ? words.failed : words.unreadable
}

function speaker(view: FormView | EndView) {
  const { definition, language } = view
  const context = contextOf(view)
  return (text: LocalizedText) => pipe(localize(text, language, definition.default_language), context)
}

function contextOf({ definition, language, evaluation }: FormView | EndView): PipingContext {
  return { definition, language, values: evaluation.values, custom_data: evaluation.custom_data, variables: evaluation.variables }
}

// The button can only promise what is certain: on the last page nothing may come after whatever is answered.
function isLast({ definition, questions, evaluation }: FormView): boolean {
  const last = questions.at(-1)
  return definition.questions.at(-1)?.id === last && evaluation.path.at(-1) === last
}

function nameOf(language: string): string {
  try {
    return new Intl.DisplayNames([language], { type: 'language', fallback: 'code' }).of(language) ?? language
  } catch {
    return language
  }
}

function layout(language: string, title: string, content: Html): Html {
  const direction = RIGHT_TO_LEFT.has(language.split('-', 1)[0]?.toLowerCase() ?? '') ? 'rtl' : 'ltr'
  return html`<!doctype html>
<html lang="${language}" dir="${direction}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${raw(STYLE)}</style></head>
<body><main>${content}</main></body>
</html>`
}
