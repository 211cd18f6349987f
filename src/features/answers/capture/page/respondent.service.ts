import { Problem } from '../../../../http/problems/problem.ts'
import { newId, type Id } from '../../../../platform/ids.ts'
import { nextTurn } from '../../../../platform/loop/turns.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { evaluate, type Evaluation } from '../../../../survey-engine/logic/evaluation.ts'
import { ordersFor } from '../../../../survey-engine/logic/shuffle.ts'
import { messagesFor } from '../../../../survey-engine/language/messages.ts'
import { surveyLanguages } from '../../../../survey-engine/model/text.ts'
import { languageFor } from '../../../../survey-engine/language/nearest.ts'
import { takesAnswer } from '../../../../survey-engine/types/registry.ts'
import type { ResponseRow } from '../../responses/responses.service.ts'
import { isProven, sealStartToken, signsOf } from '../submission/start-tokens.service.ts'
import { OPEN_CHANNELS } from '../capture.schema.ts'
import { continueResponse, submitOnce } from '../capture.service.ts'
import { pageScript } from './page-data.ts'
import { tryAnswers } from '../submission/preview.service.ts'
import { answerIn, fieldsOf, rewriteNumbers, field, type Fields } from '../../../../survey-engine/forms/answers.ts'
import { errorsIn } from '../../../../survey-engine/forms/errors.ts'
import { pagesOf } from './respondent-form.ts'
import type { EndView, FormView, EndBadge } from './respondent-view.ts'
import { sealResponseToken } from '../submission/response-token.ts'
import type { Captured, Submission } from '../submission/submissions.service.ts'
import { readVisit, refuseAtOnce, type Visit } from './visit.service.ts'

/**
 * The parameters of a link besides custom fields and answers. Form fields of the same purpose begin with `_`, unlike
 * question ids.
 */
const HANDED = ['lang', 'channel', 'token', 'device', 'response']
const NO_ERRORS: ReadonlyMap<string, string> = new Map()

/**
 * The first page, or the page where a response that was begun goes on. A link may hand over `lang`, `channel`,
 * `token`, `device`, the survey's custom fields, and answers of the first page, which are only filled in.
 * @throws the Problems of `readOpenSurvey`.
 */
export async function openPage(
  scope: Scope,
  surveyId: Id<'survey'>,
  link: Fields,
  acceptLanguage: string,
): Promise<FormView | EndView> {
  const form = new Map([...link].map(([name, values]) => [fieldOf(name), values]))
  const visit = await readVisit(scope, surveyId, form, acceptLanguage, (name) =>
    HANDED.includes(name) ? undefined : field(link, name),
  )
  const seen = visit.row ? visit.row.path.slice(0, -1) : []
  const evaluation = evaluate(visit.definition, {
    answers: visit.values,
    custom_data: visit.customData,
    completed: visit.row?.completed_at != null,
    seen,
  })
  if (visit.open) await refuseAtOnce(scope, visit.open, evaluation, form)
  if (visit.row?.completed_at) return endView(visit, evaluation, visit.row)
  const pages = pagesOf(visit.definition, evaluation.path)
  const page =
    visit.row && !visit.tries
      ? (pageIn(form, pages) ??
        Math.max(
          0,
          pages.findIndex((ids) => evaluation.next !== null && ids.includes(evaluation.next)),
        ))
      : pageWith(visit.preview ? field(link, 'at') : undefined, pages)
  const fields = visit.row ? fieldsOf(visit.definition, visit.values, visit.language) : form
  return formView(scope, visit, { evaluation, page, fields, errors: NO_ERRORS, form })
}

/** A preview opens at a question. Without it, or if that question is hidden, it opens at the beginning. */
function pageWith(id: string | undefined, pages: string[][]): number {
  return id === undefined
    ? 0
    : Math.max(
        0,
        pages.findIndex((ids) => ids.includes(id)),
      )
}

function pageIn(form: Fields, pages: string[][]): number | undefined {
  const asked = field(form, '_page')
  return asked !== undefined && /^\d{1,4}$/.test(asked) ? Math.min(Number(asked), pages.length - 1) : undefined
}

// `r` is short for `response`, and `a.q1` is the answer to `q1`.
function fieldOf(parameter: string): string {
  if (parameter === 'r') return '_response'
  return HANDED.includes(parameter) ? `_${parameter}` : parameter.replace(/^a\./, '')
}

/**
 * Takes one page: stores its answers, then shows the next page or the ending. If an answer is wrong, it shows the same
 * page with errors and input.
 * @throws the Problems of `submitResponse`, except those about answers.
 */
export async function answerPage(
  scope: Scope,
  surveyId: Id<'survey'>,
  form: Fields,
  acceptLanguage: string,
): Promise<FormView | EndView> {
  const visit = await readVisit(scope, surveyId, form, acceptLanguage, (name) => field(form, `_custom.${name}`))
  const { definition, customData } = visit
  const input = { custom_data: customData, completed: false, language: visit.language }
  if (visit.row?.completed_at)
    return endView(visit, evaluate(definition, { answers: visit.values, ...input, completed: true }), visit.row)

  const stored = evaluate(definition, { answers: visit.values, ...input })
  const pages = pagesOf(definition, stored.path)
  const page = Math.min(Math.max(0, Number.parseInt(field(form, '_page') ?? '', 10) || 0), pages.length - 1)
  if (form.has('_switch')) {
    const fields = rewriteNumbers(definition, form, languageFor(definition, [field(form, '_lang')]), visit.language)
    return formView(scope, visit, { evaluation: stored, page, fields, errors: NO_ERRORS, form })
  }
  const asked = definition.questions.filter(({ id }) => pages[page]?.includes(id))
  const typed: Record<string, unknown> = Object.fromEntries(
    asked.filter(takesAnswer).map((question) => [question.id, answerIn(question, form)]),
  )
  // A survey may have thousands of tests, which each evaluation makes.
  await nextTurn()
  const judged = evaluate(definition, { answers: { ...visit.values, ...typed }, ...input })
  const errors = errorsIn({ definition, asked, typed, judged, fields: form, language: visit.language })

  if (form.has('_back') && page > 0 && visit.row) {
    const kept = Object.fromEntries(
      Object.entries(typed).filter(([id]) => !judged.issues.some(({ path }) => path === `answers.${id}`)),
    )
    const { row, evaluation } = await goOn(scope, visit, visit.row, {
      answers: kept,
      customData: {},
      language: visit.language,
      completed: false,
      seen: pages.slice(0, page).flat(),
      revising: true,
    })
    const fields = fieldsOf(definition, evaluation.values, visit.language)
    return formView(
      scope,
      { ...visit, row, values: evaluation.values },
      { evaluation, page: page - 1, fields, errors: NO_ERRORS, form },
    )
  }
  if (errors.size > 0) return formView(scope, visit, { evaluation: judged, page, fields: form, errors, form })

  const pagesNow = pagesOf(definition, judged.path)
  const completed = page + 1 >= pagesNow.length
  try {
    const captured = await capture(scope, visit, form, {
      answers: typed,
      completed,
      seen: pagesNow.slice(0, page + 1).flat(),
    })
    if (captured.row.completed_at) return endView(visit, captured.evaluation, captured.row)
    const next = { ...visit, row: captured.row, values: captured.evaluation.values }
    return formView(scope, next, {
      evaluation: captured.evaluation,
      page: page + 1,
      fields: fieldsOf(definition, next.values, visit.language),
      errors: NO_ERRORS,
      form,
    })
  } catch (error) {
    // Only a manipulated form gets here: it skipped a page.
    const broken =
      error instanceof Problem && error.status === 422
        ? (error.options.issues ?? []).map(({ path }) => path.slice('answers.'.length))
        : []
    const first = pagesNow.findIndex((ids) => ids.some((id) => broken.includes(id)))
    if (first === -1) throw error
    const missing = messagesFor(visit.language, definition)('missing')
    return formView(scope, visit, {
      evaluation: judged,
      page: first,
      fields: form,
      errors: new Map(broken.map((id) => [id, missing])),
      form,
    })
  }
}

async function goOn(scope: Scope, visit: Visit, row: ResponseRow, submission: Submission): Promise<Captured> {
  if (!visit.tries) return continueResponse(scope, row.id, submission)
  if (visit.preview || !submission.completed) return tryAnswers(scope, visit.tries, submission, visit)
  // The last page of a change sends all answers. Those to other questions are gone.
  const none = Object.fromEntries(visit.definition.questions.map(({ id }) => [id, null]))
  return continueResponse(scope, row.id, {
    ...submission,
    answers: { ...none, ...visit.values, ...submission.answers },
  })
}

async function capture(
  scope: Scope,
  visit: Visit,
  form: Fields,
  submission: { answers: Record<string, unknown>; completed: boolean; seen: string[] },
): Promise<Captured> {
  const { language, customData, begun } = visit
  const signs = signsOf(begun, visit.row ? undefined : field(form, '_begun'), field(form, '_website'))
  const more = { ...submission, customData: {}, language, signs }
  if (visit.row) return goOn(scope, visit, visit.row, more)
  if (visit.tries) return tryAnswers(scope, visit.tries, more, visit)
  return submitOnce(scope, visit.surveyId, begun, {
    ...more,
    customData,
    channel: OPEN_CHANNELS.find((name) => name === field(form, '_channel')) ?? 'web',
    token: field(form, '_token') || undefined,
    device: field(form, '_device') || undefined,
    isProven: isProven(begun, field(form, '_begun'), field(form, '_proof')),
  })
}

interface Showing {
  evaluation: Evaluation
  page: number
  fields: Fields
  errors: ReadonlyMap<string, string>
  /** The fields of the first visit, passed on until a response exists. */
  form: Fields
}

function formView(scope: Scope, visit: Visit, { evaluation, page, fields, errors, form }: Showing): FormView {
  const { surveyId, brand, definition, language, row } = visit
  const begunId = visit.begun?.id ?? newId('response')
  const hidden: [string, string][] = [
    ['_lang', language],
    ['_page', String(page)],
  ]
  if (visit.tries && row) hidden.push(['_answers', JSON.stringify(visit.values)])
  if (row && !visit.preview)
    hidden.push(['_response', sealResponseToken(scope.secrets, { tenantId: scope.tenantId, responseId: row.id })])
  else {
    for (const name of ['_channel', '_token', '_device'])
      if (field(form, name)) hidden.push([name, field(form, name) ?? ''])
    for (const [name, value] of Object.entries(visit.customData)) hidden.push([`_custom.${name}`, String(value)])
    hidden.push(['_begun', visit.begun ? (field(form, '_begun') ?? '') : sealStartToken(scope, surveyId, begunId)])
  }
  const questions = pagesOf(definition, evaluation.path)[page] ?? []
  const version = row?.survey_version ?? visit.open?.survey.version ?? 0
  const script = pageScript(scope.caches, definition, version)
  return {
    kind: 'form',
    ...(script && { script }),
    responseId: row && !visit.preview ? row.id : null,
    brand,
    surveyId,
    definition,
    language,
    languages: surveyLanguages(definition),
    evaluation,
    questions,
    fields,
    errors,
    hidden,
    page,
    orders: row && !visit.preview ? (row.orders ?? {}) : ordersFor(definition, begunId),
    notice: visit.preview ? 'preview' : visit.tries ? 'revise' : null,
  }
}

function endView(
  { brand, definition, language, preview }: Visit,
  evaluation: Evaluation,
  { state }: ResponseRow,
): EndView {
  const { ending } = evaluation
  return {
    kind: 'end',
    brand,
    definition,
    language,
    evaluation,
    ending,
    state,
    notice: preview ? 'preview_over' : null,
  }
}

/** Finds the badge of an id, as the last page shows it. Null if there is nothing to show. */
export type ShowBadge = (scope: Scope, id: string) => Promise<EndBadge | null>

/**
 * The badge that the ending asks for. The answers are stored by now, so a failure is logged and the page thanks without
 * the badge.
 */
export async function readEndBadge(
  scope: Scope,
  { ending, state }: EndView,
  showBadge: ShowBadge,
): Promise<EndBadge | null> {
  const id = ending?.badge
  if (id === undefined || state === 'over_quota') return null
  try {
    return await showBadge(scope, id)
  } catch (error) {
    scope.log.error({ err: error, requestId: scope.requestId }, 'the badge of an ending could not be read')
    return null
  }
}
