import { isStorable, KIB, readFormText } from '../../../../http/bodies/body.ts'
import { spendBeginning, spendBody } from '../../../../http/limits/capture-budget.ts'
import { compressedPage } from '../../../../http/pages/compressed.ts'
import type { AppContext } from '../../../../http/context.ts'
import { acceptsPages } from '../../../../http/pages/notice-page.ts'
import { notFound } from '../../../../http/problems/problem.ts'
import { systemRoute, type Route } from '../../../../http/routes/route.ts'
import { findStem, cacheStem, sendStem } from '../../../../http/pages/page-cache.ts'
import { logFailure, toProblem } from '../../../../http/problems/to-problem.ts'
import { wishesIn } from '../../../../platform/wishes.ts'
import { formatId, parseId, type Id } from '../../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../../platform/scope.ts'
import { nextTurn } from '../../../../platform/loop/turns.ts'
import { resolveSurvey } from '../capture.service.ts'
import { RespondentForm, RespondentLink } from '../capture.schema.ts'
import { readEndBadge, type ShowBadge, answerPage, openPage } from './respondent.service.ts'
import { isOfFront, readFront, readRefused, type Refused } from './front.service.ts'
import { field, type Fields } from '../../../../survey-engine/forms/answers.ts'
import { readFields } from './respondent-form.ts'
import { renderEnd, renderRefusal } from './respondent-end.page.ts'
import { endOfForm, pageHeaders, renderForm, withNonce } from './respondent.page.ts'
import type { EndView, FormView } from './respondent-view.ts'

const LONGEST_FORM = 256 * KIB
const tag = 'Public capture'
const params = { id: 'text' } as const
const response = { status: 200, contentType: 'text/html' }
const problems = {
  404: 'There is no such survey. HTML if the client accepts it.',
  410: '`survey_not_open`, likewise.',
}

const respondentPageRoute = (showBadge: ShowBadge) =>
  systemRoute({
    method: 'get',
    path: '/public/s/:id',
    operationId: 'getRespondentPage',
    summary: 'Show the survey as a page',
    description:
      'It works without JavaScript. With it, the page shows one question at a time and saves each answer. The query ' +
      'can hold `lang`, `channel`, `token` (single use), `device`, custom fields, answers such as `a.q1=9` or ' +
      '`q1=9`, and `r`, the token of a response to continue. Answers from the query are filled in, but not ' +
      'stored yet.',
    tag,
    params,
    query: RespondentLink,
    readsQuery: true,
    headers: ['accept', 'accept-encoding', 'accept-language'],
    response,
    problems,
    handler: (system, { params: { id }, c }) =>
      show(system, c, id, { given: () => linkOf(c), front: readFront, view: openPage, showBadge }),
  })

const answerRespondentPageRoute = (showBadge: ShowBadge) =>
  systemRoute({
    method: 'post',
    path: '/public/s/:id',
    operationId: 'answerRespondentPage',
    summary: 'Send the form of one page of the survey',
    tag,
    params,
    bodyLimit: LONGEST_FORM,
    query: RespondentLink,
    readsQuery: true,
    headers: ['accept', 'accept-encoding', 'accept-language', 'content-type'],
    rawBody: { 'application/x-www-form-urlencoded': RespondentForm },
    audit: { none: 'Public capture is not audited.' },
    response: {
      ...response,
      also: { status: 303, description: 'The answers are stored. `Location` shows the next page, or the one before.' },
    },
    problems: {
      ...problems,
      409: '`already_answered`, likewise.',
      413: 'The form is too large or has more than 5,000 fields.',
      415: 'The body is not a form.',
      422: 'The same page again, with the errors beside the questions.',
      429: 'The address began too many responses, or sent too much, within a minute. HTML if the client accepts it.',
    },
    handler: (system, { params: { id }, c, limiters }) =>
      show(system, c, id, {
        async given() {
          await spendBody(system, limiters, c.req.raw, LONGEST_FORM)
          return readFields(await readFormText(c.req.raw, LONGEST_FORM))
        },
        async admit(surveyId, given) {
          if (!field(given, '_response')) await spendBeginning(system, limiters, surveyId)
        },
        view: answerPage,
        showBadge,
      }),
  })

/** @param showBadge finds the badge of an ending. */
export function respondentRoutes(showBadge: ShowBadge): Route[] {
  return [respondentPageRoute(showBadge), answerRespondentPageRoute(showBadge)]
}

interface Visit {
  /** Read before the survey, so that a form that is too large is refused at every address. */
  given: () => Fields | Promise<Fields>
  /** @throws Problem 429. */
  admit?: (surveyId: Id<'survey'>, given: Fields) => Promise<void>
  /** Set if the page may be one that others got before. */
  front?: typeof readFront
  view: (scope: Scope, surveyId: Id<'survey'>, given: Fields, acceptLanguage: string) => Promise<FormView | EndView>
  showBadge: ShowBadge
}

/** Refusals by a survey, which says them in its own way. */
const BY_SURVEY = /^(survey_not_open|already_\w+|link_\w+)$/

async function show(system: SystemScope, c: AppContext, text: string, visit: Visit): Promise<Response> {
  let survey: { scope: Scope; id: Id<'survey'> } | null = null
  let given: Fields = new Map()
  try {
    given = await visit.given()
    const surveyId = parseId('survey', text)
    const tenantId = surveyId && (await resolveSurvey(system, surveyId))
    if (!surveyId || !tenantId) throw notFound('survey')
    await visit.admit?.(surveyId, given)
    survey = { scope: system.tenant(tenantId, { type: 'respondent' }), id: surveyId }
    const wishes = c.req.header('accept-language') ?? ''
    const front = await visit.front?.(survey.scope, surveyId, given, wishes)
    const kept = front && findStem(c, front.key)
    if (kept) return sendStem(c, kept, endOfForm(front), withNonce(kept.headers, front.script.nonce))
    const view = await visit.view(survey.scope, surveyId, given, wishes)
    // Drawing thousands of controls takes as long as checking them: yield in between.
    await nextTurn()
    if (view.kind === 'end') {
      const badge = await readEndBadge(survey.scope, view, visit.showBadge)
      return compressedPage(c, String(await renderEnd(view, badge)), 200, pageHeaders(view.brand))
    }
    if (visit.front === undefined && isStored(view, given)) return c.redirect(addressOf(view), 303)
    const page = String(await renderForm(view, system.caches))
    const headers = pageHeaders(view.brand, view)
    if (front && isOfFront(front, view)) {
      const stem = await cacheStem(c, front.key, page.slice(0, -endOfForm(view).length), headers)
      return sendStem(c, stem, endOfForm(view), headers)
    }
    return compressedPage(c, page, view.errors.size > 0 ? 422 : 200, headers)
  } catch (error) {
    if (!acceptsPages(c)) throw error
    const refused = survey && BY_SURVEY.test(toProblem(error).code) ? await readRefused(survey.scope, survey.id) : null
    return refusalPage(system, c, error, { given, refused })
  }
}

/** After such a page the browser's Back asks nobody to send a form again. */
function isStored({ errors, responseId, notice }: FormView, given: Fields): boolean {
  return errors.size === 0 && responseId !== null && notice === null && !given.has('_switch')
}

function addressOf({ surveyId, language, page, hidden }: FormView): string {
  const query = new URLSearchParams({ r: new Map(hidden).get('_response') ?? '', lang: language, _page: String(page) })
  return `/public/s/${formatId('survey', surveyId)}?${query.toString()}`
}

async function refusalPage(
  system: SystemScope,
  c: AppContext,
  error: unknown,
  { given, refused }: { given: Fields; refused: Refused | null },
): Promise<Response> {
  const problem = toProblem(error)
  const { status, code, options } = problem
  const requestId = c.get('requestId')
  logFailure(system.log, error, problem, { requestId, route: c.get('route')?.operationId })
  const { reason, opens_at: opensAt } = options.extra ?? {}
  const refusal = {
    status,
    code,
    reason,
    opensAt: typeof opensAt === 'string' ? opensAt : undefined,
    requestId,
  }
  // A form says in which language its page was.
  const asked = [field(given, '_switch'), field(given, '_lang'), c.req.query('lang')].filter((tag) => tag !== undefined)
  const wishes = [...asked, ...wishesIn(c.req.header('accept-language') ?? '')]
  const headers = {
    ...pageHeaders(refused?.brand ?? null),
    ...(options.retryAfter !== undefined && { 'Retry-After': String(options.retryAfter) }),
    ...(status === 413 && { Connection: 'close' }),
  }
  return compressedPage(c, String(await renderRefusal(refusal, wishes, refused)), status, headers)
}

function linkOf(c: AppContext): Fields {
  const fields = readFields(new URL(c.req.url).search)
  return new Map([...fields].filter(([name, values]) => [name, ...values].every(isStorable)))
}
