import { decodeUtf8, isStorable, KIB, readBody } from '../../http/body.ts'
import type { AppContext } from '../../http/context.ts'
import { notFound, Problem } from '../../http/problem.ts'
import { systemRoute } from '../../http/route.ts'
import { parseId, type Id } from '../../platform/ids.ts'
import type { Scope, SystemScope } from '../../platform/scope.ts'
import { nextTurn } from '../../platform/turns.ts'
import { resolveSurvey } from './capture.resolve.ts'
import { RespondentForm, RespondentLink } from './capture.schema.ts'
import { readFields, type Fields } from './respondent-form.ts'
import { PAGE_HEADERS, renderEnd, renderForm, renderNotice } from './respondent.page.ts'
import { answerPage, openPage } from './respondent.service.ts'
import type { EndView, FormView } from './respondent-view.ts'

const LONGEST_FORM = 256 * KIB
const tag = 'Public capture'
const params = { id: 'text' } as const
const response = { status: 200, contentType: 'text/html' }
const problems = { 404: 'There is no such survey; as a page where the client accepts HTML.', 410: '`survey_not_open`, likewise.' }

export const respondentPageRoute = systemRoute({
  method: 'get',
  path: '/public/s/:id',
  operationId: 'getRespondentPage',
  summary: 'The survey as a page that needs no JavaScript',
  description:
    'The query may hand over `lang`, `channel`, `token` (single use), `device`, the survey’s custom fields, answers to fill in on the first page, and `response`, the token of a response to go on with.',
  tag,
  params,
  query: RespondentLink,
  readsQuery: true,
  headers: ['accept', 'accept-language'],
  response,
  problems,
  handler: (system, { params: { id }, c }) =>
    show(system, c, id, (scope, surveyId) => openPage(scope, surveyId, linkOf(c), c.req.header('accept-language') ?? '')),
})

export const answerRespondentPageRoute = systemRoute({
  method: 'post',
  path: '/public/s/:id',
  operationId: 'answerRespondentPage',
  summary: 'One page of the survey, as its form sends it',
  tag,
  params,
  bodyLimit: LONGEST_FORM,
  query: RespondentLink,
  readsQuery: true,
  headers: ['accept', 'accept-language', 'content-type'],
  rawBody: { 'application/x-www-form-urlencoded': RespondentForm },
  response,
  problems: {
    ...problems,
    409: '`already_answered`, likewise.',
    413: 'The form is too large.',
    415: 'The body is no form.',
    422: 'The same page again, with what is wrong beside the questions.',
  },
  async handler(system, { params: { id }, c }) {
    if (!/^application\/x-www-form-urlencoded\b/i.test(c.req.header('content-type') ?? '')) {
      throw new Problem(415, 'unsupported_media_type', { detail: 'Send the form as `Content-Type: application/x-www-form-urlencoded`.' })
    }
    const form = readFields(decodeUtf8(await readBody(c.req.raw, LONGEST_FORM)))
    return show(system, c, id, (scope, surveyId) => answerPage(scope, surveyId, form, c.req.header('accept-language') ?? ''))
  },
})

async function show(
  system: SystemScope,
  c: AppContext,
  text: string,
  work: (scope: Scope, surveyId: Id<'survey'>) => Promise<FormView | EndView>,
): Promise<Response> {
  try {
    const surveyId = parseId('survey', text)
    const tenantId = surveyId && (await resolveSurvey(system, surveyId))
    if (!surveyId || !tenantId) throw notFound('survey')
    const view = await work(system.tenant(tenantId, { type: 'respondent' }), surveyId)
    // A page of thousands of controls takes as long to draw as its survey took to work through.
    await nextTurn()
    if (view.kind === 'end') return c.body(String(await renderEnd(view)), 200, PAGE_HEADERS)
    return c.body(String(await renderForm(view, languageLinks(view, c))), view.errors.size > 0 ? 422 : 200, PAGE_HEADERS)
  } catch (error) {
    const acceptsPages = /\btext\/html\b/i.test(c.req.header('accept') ?? '')
    if (!(error instanceof Problem) || error.status >= 500 || !acceptsPages) throw error
    const { status, code, options } = error
    const opensAt = options.extra?.['opens_at']
    const language = /^[A-Za-z]{2,3}(?=[-,;\s]|$)/.exec(c.req.query('lang') ?? c.req.header('accept-language') ?? '')?.[0] ?? 'en'
    const page = renderNotice({ status, code, detail: options.detail, opensAt: typeof opensAt === 'string' ? opensAt : undefined }, language)
    return c.body(String(await page), status as 404, PAGE_HEADERS)
  }
}

function linkOf(c: AppContext): Fields {
  const fields = readFields(new URL(c.req.url).search)
  return new Map([...fields].filter(([name, values]) => [name, ...values].every(isStorable)))
}

// The same link in the other languages; only where nothing was answered yet.
function languageLinks({ languages, page, hidden }: FormView, c: AppContext): { lang: string; href: string }[] {
  if (page > 0 || hidden.some(([name]) => name === '_response') || c.req.method === 'POST') return []
  return languages.map((lang) => {
    const query = new URLSearchParams(new URL(c.req.url).search)
    query.set('lang', lang)
    return { lang, href: `?${query}` }
  })
}
