import { html, raw } from 'hono/html'
import { cacheOf, type Caches } from '../../../../platform/config/caches.ts'
import { formatId } from '../../../../platform/ids.ts'
import { startSlices } from '../../../../platform/loop/turns.ts'
import type { LocalizedText, Question } from '../../../../survey-engine/model/definition.ts'
import { messagesFor } from '../../../../survey-engine/language/messages.ts'
import { isRequired } from '../../../../survey-engine/types/registry.ts'
import { inOrder, shuffledLines } from '../../../../survey-engine/logic/shuffle.ts'
import { localize } from '../../../../survey-engine/model/text.ts'
import { dataBlock, pageData } from './page-data.ts'
import { drawFields, frameOf, isScripted, type Drawing, type Html } from './respondent-fields.page.ts'
import { questionsNamedIn } from './respondent-form.ts'
import { contextOf, LAST, layout, speaker } from './respondent-layout.page.ts'
import { styleFor } from './respondent-style.ts'
import type { Brand, FormView, PageScript } from './respondent-view.ts'
import { sourceOf } from '../../../../platform/look/content-source.ts'
import { displayNames } from '../../../../platform/text/formats.ts'

/**
 * Shows the number of a slider while it moves. It sends and decides nothing: the page works without it, and a screen
 * reader reads the number itself.
 */
export const SCRIPT = `
for (const range of document.querySelectorAll('input[type=range]')) {
  const shown = range.parentNode.querySelector('output')
  const show = () => { shown.value = range.value === range.min ? '\u2013' : range.valueAsNumber.toLocaleString(document.documentElement.lang) }
  range.addEventListener('input', show)
  shown.hidden = false
  show()
}
`

/** Allows exactly these bytes in the policy of a page. */
const SCRIPT_SOURCE = sourceOf(SCRIPT)

/**
 * The page loads nothing from elsewhere, no font but the one of its look, and only our scripts. The workspace says
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
  const worker = view?.script?.proof ? " worker-src 'self';" : ''
  const framers = brand && brand.embedOrigins.length > 0 ? ["'self'", ...brand.embedOrigins].join(' ') : '*'
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; style-src ${styleFor(brand).source};${script}${connect}${worker} img-src 'self';${brand?.fontUrl ? " font-src 'self';" : ''} form-action 'self'; base-uri 'none'; frame-ancestors ${framers}`,
    'Cache-Control': 'no-store',
    'X-Robots-Tag': 'noindex',
  }
}

/** The headers of a page that was kept, with the nonce of this visit. */
export function withNonce(headers: Record<string, string>, nonce: string): Record<string, string> {
  const policy = headers['Content-Security-Policy'] ?? ''
  return { ...headers, 'Content-Security-Policy': policy.replace(/'nonce-[^']+'/, `'nonce-${nonce}'`) }
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
<p class="actions"><button type="submit" name="_next" value="1">${own(isLast(view) ? 'send' : 'next')}</button>${page > 0 ? html`<button type="submit" name="_back" value="1" class="quiet" formnovalidate>${own('back')}</button>` : ''}</p>
${questions.some(isScripted) ? html`<script>${raw(SCRIPT)}</script>` : ''}${data}${closing(view)}`,
  )
}

/** The end of a page: all that it says to one visitor alone, if they bring nothing. Fewer than 64 KiB. */
export function endOfForm(view: Pick<FormView, 'hidden' | 'script'>): string {
  return `${String(closing(view))}${LAST}`
}

function closing({ hidden, script }: Pick<FormView, 'hidden' | 'script'>): Html {
  return html`${script ? html`<script type="module" nonce="${script.nonce}" src="${script.src}"></script>` : ''}${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}</form>`
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

/** The survey that the program of the page runs. */
async function dataOf(view: FormView, script: PageScript, caches: Caches | undefined): Promise<Html> {
  const { surveyId, definition, language, fields, questions, evaluation, orders } = view
  const shown = new Set(questions)
  const rest = definition.questions.filter(({ id }) => !shown.has(id)).map((question) => inOrder(question, orders))
  const named = questionsNamedIn(fields)
  const isFilled = rest.some(({ id }) => named.has(id))
  // A preview shows a draft, which may change within its version.
  const isOwn = isFilled || view.notice === 'preview' || rest.some((question) => shuffledLines(question) !== null)
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
    ...(view.responseId && { response: formatId('response', view.responseId) }),
    mode: view.notice ?? 'answer',
    ...(script.proof && !view.notice && { proof: script.proof }),
  }
  return html`<script type="application/json" id="survey">${raw(dataBlock(data))}</script>`
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

// Enter in a field presses the first button of a form. It must not be a language.
function languageSwitch({ languages, language, definition }: FormView): Html | '' {
  if (languages.length < 2) return ''
  return html`<button class="enter" type="submit" name="_next" value="1" tabindex="-1" aria-hidden="true"></button>
<nav aria-label="${messagesFor(language, definition)('language')}">${languages.map((lang) => (lang === language ? html`<strong lang="${lang}">${nameOf(lang)}</strong>` : html`<button class="language" type="submit" name="_switch" value="${lang}" lang="${lang}" formnovalidate>${nameOf(lang)}</button>`))}</nav>`
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

// The button promises the end only if nothing can follow this page, whatever the answers.
function isLast({ definition, questions, evaluation }: FormView): boolean {
  const last = questions.at(-1)
  return definition.questions.at(-1)?.id === last && evaluation.path.at(-1) === last
}

function nameOf(language: string): string {
  try {
    return displayNames(language, { type: 'language', fallback: 'code' }).of(language) ?? language
  } catch {
    return language
  }
}
