import { html, raw } from 'hono/html'
import { cacheOf, type Caches } from '../../../platform/caches.ts'
import { directionOf } from '../../../platform/direction.ts'
import { formatId } from '../../../platform/ids.ts'
import { redirectTarget } from '../../../platform/redirect-target.ts'
import { startSlices } from '../../../platform/turns.ts'
import type { LocalizedText, Question } from '../../../survey-engine/model/definition.ts'
import { messagesFor, wordsLanguage } from '../../../survey-engine/language/messages.ts'
import { pipe, pipeAddress, pipingBudget, type PipingContext } from '../../../survey-engine/logic/piping.ts'
import { isRequired } from '../../../survey-engine/types/registry.ts'
import { inOrder, shuffledLines } from '../../../survey-engine/logic/shuffle.ts'
import { localize } from '../../../survey-engine/model/text.ts'
import { dataBlock, pageData } from './page-data.ts'
import { drawFields, frameOf, isScripted, type Drawing, type Html } from './respondent-fields.page.ts'
import { SCRIPT, SCRIPT_SOURCE } from './respondent-script.ts'
import { styleFor } from './respondent-style.ts'
import type { Brand, EndView, FormView, PageScript } from './respondent-view.ts'

/**
 * The page loads no fonts, nothing from elsewhere but the survey's pictures, and only our scripts. The workspace says
 * which sites may frame it.
 */
export function pageHeaders(brand: Brand | null, view?: FormView): Record<string, string> {
  const sources = view
    ? [
        ...(questionsOf(view).some(isScripted) ? [SCRIPT_SOURCE] : []),
        ...(view.script ? [`'nonce-${view.script.nonce}'`] : []),
      ]
    : []
  const script = sources.length > 0 ? ` script-src ${sources.join(' ')};` : ''
  const connect = view?.script ? " connect-src 'self';" : ''
  const framers = brand && brand.embedOrigins.length > 0 ? brand.embedOrigins.join(' ') : '*'
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; style-src ${styleFor(brand?.color ?? null).source};${script}${connect} img-src 'self' https: http:; form-action 'self'; base-uri 'none'; frame-ancestors ${framers}`,
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=()',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
    'X-Robots-Tag': 'noindex',
  }
}

/** The texts of questions that nobody has answered yet, by survey version and language. */
const RESTS = cacheOf<string, string>({ maxSize: 16 * 1024 * 1024, sizeOf: (text) => text.length + 1 })

/** Runs in slices, because a page may have tens of thousands of controls. */
export async function renderForm(view: FormView, caches?: Caches): Promise<Html> {
  const { definition, language, errors, page, script } = view
  const own = messagesFor(language, definition)
  const plain = speaker(view, contextOf(view))
  const questions = questionsOf(view)
  const heading = questions[0] ? plain(questions[0].title) : ''
  const wrong = questions.filter(({ id }) => errors.has(id))
  const drawn = await drawAll(view, questions)
  const data = script ? await dataOf(view, script, caches) : ''
  return layout(
    language,
    view.brand,
    `${wrong.length > 0 ? '⚠ ' : ''}${heading.slice(0, 80)}`,
    html`${view.notice ? html`<p class="notice" role="note">${own(view.notice)}</p>` : ''}
<form method="post" action="/public/s/${formatId('survey', view.surveyId)}" novalidate${script ? html` class="scripted"` : ''}>
<h1 class="unseen">${own('feedback')}</h1>
${languageSwitch(view)}
${page > 0 ? html`<p class="page">${own('page', { n: page + 1 })}</p>` : ''}
${wrong.length > 0 ? html`<div class="summary" role="alert"><p>${own('errors', { n: wrong.length })}</p><ul>${wrong.map((question) => html`<li><a href="#q-${question.id}">${plain(question.title)}</a></li>`)}</ul></div>` : ''}
${drawn}
<div class="trap" aria-hidden="true"><input name="_website" tabindex="-1" autocomplete="off" aria-label="URL"></div>
${view.hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<p class="actions"><button type="submit" name="_next" value="1">${own(isLast(view) ? 'send' : 'next')}</button>${page > 0 ? html`<button type="submit" name="_back" value="1" class="quiet" formnovalidate>${own('back')}</button>` : ''}</p>
</form>${questions.some(isScripted) ? html`<script>${raw(SCRIPT)}</script>` : ''}${data}`,
  )
}

async function drawAll(view: FormView, questions: Question[]): Promise<Html[]> {
  const say = textOf(view)
  const own = messagesFor(view.language, view.definition)
  const slices = startSlices()
  const drawn: Html[] = []
  for (const question of questions) {
    drawn.push(drawQuestion(view, question, own, say))
    if (slices.isOver()) await slices.next()
  }
  return drawn
}

/** The program of the page, and the survey that it runs. */
async function dataOf(view: FormView, script: PageScript, caches: Caches | undefined): Promise<Html> {
  const { surveyId, definition, language, fields, questions, evaluation, orders } = view
  const shown = new Set(questions)
  const rest = definition.questions.filter(({ id }) => !shown.has(id)).map((question) => inOrder(question, orders))
  const isFilled = rest.some(({ id }) => [...fields.keys()].some((name) => name === id || name.startsWith(`${id}.`)))
  const isOwn = isFilled || rest.some((question) => shuffledLines(question) !== null)
  const key = [surveyId, script.version, language, ...questions].join(' ')
  const known = isOwn ? undefined : caches?.of(RESTS).get(key)
  // Without anything of this person: the script fills in what texts repeat.
  const blank = { values: {}, custom_data: {}, variables: definition.variables ?? {} }
  const required = rest.filter(isRequired).map(({ id }) => id)
  const made =
    known ??
    String(
      await html`${await drawAll({ ...view, errors: new Map(), evaluation: { ...evaluation, ...blank, required } }, rest)}`,
    )
  if (!isOwn) caches?.of(RESTS).set(key, made)
  const data = {
    ...pageData(surveyId, script.version, definition, language, made),
    custom_data: evaluation.custom_data,
    mode: view.notice ?? 'answer',
  }
  return html`<script type="application/json" id="survey">${raw(dataBlock(data))}</script><script type="module" nonce="${script.nonce}" src="${script.src}"></script>`
}

function questionsOf({ definition, questions, orders }: FormView): Question[] {
  return questions.flatMap((id) =>
    definition.questions.filter((question) => question.id === id).map((question) => inOrder(question, orders)),
  )
}

function drawQuestion(
  { evaluation, fields, errors, language, definition }: FormView,
  question: Question,
  own: Drawing['own'],
  say: Drawing['say'],
): Html {
  const required = evaluation.required.includes(question.id)
  const error = errors.get(question.id)
  const description =
    localize(question.description ?? '', language, definition.default_language) && say(question.description ?? '')
  const describedBy = [description && `d-${question.id}`, error && `e-${question.id}`].filter(Boolean).join(' ')
  const drawing = { question, fields, own, required, invalid: error !== undefined, describedBy, say }
  const mark = required ? html` <span class="mark">${own('required')}</span>` : ''
  const rest = html`${description && html`<p class="hint" id="d-${question.id}">${description}</p>`}${error && html`<p class="error" id="e-${question.id}">${error}</p>`}${drawFields(drawing)}`
  const kind = error ? 'question wrong' : 'question'
  switch (frameOf(question)) {
    case 'heading':
      return html`<section class="${kind}" id="q-${question.id}"><h2>${say(question.title)}</h2>${rest}</section>`
    case 'within':
      return html`<section class="${kind}" id="q-${question.id}">${rest}</section>`
    case 'label':
      return html`<section class="${kind}" id="q-${question.id}"><h2><label for="${question.id}">${say(question.title)}</label>${mark}</h2>${rest}</section>`
    case 'legend':
      return html`<fieldset class="${kind}" id="q-${question.id}"${describedBy ? html` aria-describedby="${describedBy}"` : ''}><legend>${say(question.title)}${mark}</legend>${rest}</fieldset>`
  }
}

// Enter in a field presses the first button of a form. That must not be a language.
function languageSwitch({ languages, language, definition }: FormView): Html | '' {
  if (languages.length < 2) return ''
  return html`<button class="enter" type="submit" name="_next" value="1" tabindex="-1" aria-hidden="true"></button>
<nav aria-label="${messagesFor(language, definition)('language')}">${languages.map((lang) => (lang === language ? html`<strong lang="${lang}">${nameOf(lang)}</strong>` : html`<button class="language" type="submit" name="_switch" value="${lang}" lang="${lang}" formnovalidate>${nameOf(lang)}</button>`))}</nav>`
}

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

function speaker({ definition, language }: FormView | EndView, context: PipingContext) {
  return (text: LocalizedText) => pipe(localize(text, language, definition.default_language), context)
}

// The script fills in marked texts again, as soon as an answer that they repeat has changed.
function textOf(view: FormView): (text: LocalizedText) => Html {
  const { definition, language, script } = view
  const plain = speaker(view, contextOf(view))
  return (text) => {
    const template = script ? localize(text, language, definition.default_language) : ''
    const filled = plain(text)
    return template.includes('{{') ? html`<span data-pipe="${template}">${filled}</span>` : html`${filled}`
  }
}

function contextOf({ definition, language, evaluation }: FormView | EndView): PipingContext {
  return {
    definition,
    language,
    values: evaluation.values,
    custom_data: evaluation.custom_data,
    variables: evaluation.variables,
    budget: pipingBudget(),
  }
}

// The button promises the end only if nothing can follow this page, whatever the answers.
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

function layout(language: string, brand: Brand | null, title: string, content: Html): Html {
  return html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${raw(styleFor(brand?.color ?? null).text)}</style></head>
<body>${brand?.logoUrl ? html`<header class="brand"><img src="${brand.logoUrl}" alt="${brand.name}"></header>` : ''}<main>${content}</main></body>
</html>`
}
