import { html } from 'hono/html'
import type { AppContext } from '../context.ts'
import { problemResponse } from '../routes/dispatch.ts'
import { errorWords } from './error-words.ts'
import { wantsPage } from './form-page.ts'
import { acceptedLanguage, acceptsPages, noticePage } from './notice-page.ts'
import type { Problem } from '../problems/problem.ts'
import type { Route } from '../routes/route.ts'

// Programs call everything below these addresses, also where there is no route.
const FOR_PROGRAMS =
  /^\/(v1|webhooks|health|metrics|openapi\.json|assets|public\/(surveys|responses|dashboards|sessions|workspaces|signups|email|twilio|assets|badges))(\/|$)/

/** Whether people open the address of a route. Such a route declares the headers that say what they read. */
export function isForPeople({ kind, headers }: Pick<Route, 'kind' | 'headers'>): boolean {
  return kind !== 'tenant' && headers.includes('accept') && headers.includes('accept-language')
}

/** Answers a failed request: with a page for a person with a browser, else with the problem as JSON. */
export async function errorAnswer(c: AppContext, problem: Problem): Promise<Response> {
  const response = showsPage(c) ? await errorPage(c, problem.status) : problemAnswer(c, problem)
  const { retryAfter, headers = {} } = problem.options
  if (retryAfter !== undefined) response.headers.set('Retry-After', String(retryAfter))
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}

function showsPage(c: AppContext): boolean {
  const isPlaceForPeople = c.get('isForPeople') ?? !FOR_PROGRAMS.test(c.req.path)
  return isPlaceForPeople && acceptsPages(c) && wantsPage(c)
}

function errorPage(c: AppContext, status: number): Promise<Response> {
  const language = acceptedLanguage(c)
  const { title, advice } = errorWords(status, language)
  return noticePage(c, { status, language, title, content: html`<p>${advice}</p>` })
}

function problemAnswer(c: AppContext, problem: Problem): Response {
  return problemResponse(problem.toJSON(c.get('requestId')), problem.status)
}
