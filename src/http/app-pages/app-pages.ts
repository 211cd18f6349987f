import { html } from 'hono/html'
import type { Hono } from 'hono'
import { wishesIn } from '../../platform/wishes.ts'
import { isToken } from '../../platform/config/tokens.ts'
import { KIB, readForm } from '../bodies/body.ts'
import type { AppContext, Env } from '../routes/context.ts'
import { noticePage } from '../pages/notice-page.ts'
import { notFound } from '../problems/problem.ts'
import { appWords } from './app-words.ts'
import { renderSignIn, renderThing } from './app.page.ts'
import { thingAt, type Data, type Shown } from './things.ts'

const PASSED_ON = ['accept-language', 'host', 'user-agent', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto']
const KEPT_OF_FILE = ['content-type', 'content-length', 'content-disposition', 'content-security-policy', 'repr-digest']
// A person in more workspaces opens the thing by signing in to its workspace first.
const MOST_WORKSPACES = 20

type Visit = ReturnType<typeof visitOf>

/**
 * Mounts the pages that mails and messages lead to. They are a client of the API: each sends a person's calls to it, so
 * its limits, permissions and audit hold here too. No cookie: a page holds the token of its session in its buttons.
 */
export function mountAppPages(app: Hono<Env>): void {
  app.get('/app/*', (c, next) => {
    if (!thingAt(c.req.path)) return next()
    const { thing, language, words } = visitOf(app, c)
    return noticePage(c, {
      language,
      title: `${words.titles[thing.title]}: ${words.signIn}`,
      content: renderSignIn(words),
    })
  })
  app.post('/app/*', async (c) => {
    const visit = visitOf(app, c)
    const { session, email = '', password = '', press, leave } = await readForm(c.req.raw, 64 * KIB)
    if (session === undefined || !isToken('session', session)) return enter(visit, email, password)
    if (leave !== undefined) return signOut(visit, session)
    return press === undefined ? showThing(visit, session) : usePress(visit, session, press)
  })
}

function visitOf(app: Hono<Env>, c: AppContext) {
  c.set('isForPeople', true)
  const thing = thingAt(c.req.path)
  if (!thing) throw notFound()
  const passedOn = PASSED_ON.flatMap((name): [string, string][] => {
    const value = c.req.header(name)
    return value === undefined ? [] : [[name, value]]
  })
  const call = async (method: string, path: string, token: string | null, body?: object): Promise<Response> => {
    const headers = new Headers(passedOn)
    if (token !== null) headers.set('authorization', `Bearer ${token}`)
    if (body) headers.set('content-type', 'application/json')
    const request = new Request(new URL(path, c.req.url), {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    return app.fetch(request, c.env)
  }
  return { c, thing, call, ...appWords(wishesIn(c.req.header('accept-language') ?? '')) }
}

/** Signs in, and looks for the thing in the workspaces of the person, the one last used first. */
async function enter(visit: Visit, email: string, password: string): Promise<Response> {
  const { c, thing, call, language, words } = visit
  const entered = await call('POST', '/public/sessions', null, { email, password })
  if (entered.status !== 201) {
    const code = codeOf(await entered.json())
    const reason = entered.status === 429 ? words.busy : code === 'no_workspace' ? words.noWorkspace : words.wrong
    const status = entered.status >= 500 ? entered.status : entered.status === 400 ? 401 : entered.status
    const content = renderSignIn(words, entered.status >= 500 ? words.failed : reason, email)
    return noticePage(c, { status, language, title: `${words.titles[thing.title]}: ${words.signIn}`, content })
  }
  const { token, workspace, workspaces } = (await entered.json()) as SignedIn
  let session = token
  let refused: Response | null = null
  const others = workspaces.filter(({ id }) => id !== workspace.id).slice(0, MOST_WORKSPACES)
  for (const next of [null, ...others]) {
    if (next) session = await switchTo(visit, session, next.id)
    const answer = await call('GET', thing.read, session)
    if (answer.ok) return draw(visit, session, await answer.json())
    // A refusal says more than that another workspace does not have it.
    if (refused === null || refused.status === 404) refused = answer
    if (answer.status !== 404 && answer.status !== 403) break
  }
  if (others.length > 0) session = await switchTo(visit, session, workspace.id)
  await call('DELETE', '/v1/session', session)
  return refuse(visit, refused as Response)
}

async function switchTo({ call }: Visit, session: string, workspaceId: string): Promise<string> {
  const switched = await call('POST', '/v1/session/workspace', session, { workspace_id: workspaceId })
  return switched.status === 201 ? ((await switched.json()) as SignedIn).token : session
}

async function showThing(visit: Visit, session: string): Promise<Response> {
  const answer = await visit.call('GET', visit.thing.read, session)
  return answer.ok ? draw(visit, session, await answer.json()) : refuse(visit, answer)
}

/** Does what a button of the page says. Only a button that the page would show now works. */
async function usePress(visit: Visit, session: string, path: string): Promise<Response> {
  const { call, thing } = visit
  const answer = await call('GET', thing.read, session)
  if (!answer.ok) return refuse(visit, answer)
  const { presses } = await shownOf(visit, session, await answer.json())
  const press = presses.find((each) => each.path === path)
  if (!press) return showThing(visit, session)
  const done = await call(press.method, press.path, session, press.body)
  if (!done.ok) return refuse(visit, done)
  return press.method === 'GET' ? fileOf(done) : showThing(visit, session)
}

async function signOut({ c, call, language, words }: Visit, session: string): Promise<Response> {
  await call('DELETE', '/v1/session', session)
  return noticePage(c, { language, title: words.signedOut })
}

/** A page without buttons needs no session any more. */
async function draw(visit: Visit, session: string, data: unknown): Promise<Response> {
  const { c, call, thing, language, words } = visit
  const shown = await shownOf(visit, session, data)
  const kept = shown.presses.length > 0 ? session : null
  if (kept === null) await call('DELETE', '/v1/session', session)
  const content = renderThing(language, words, shown, kept)
  return noticePage(c, { language, title: words.titles[thing.title], content })
}

async function shownOf({ call, thing }: Visit, session: string, data: unknown): Promise<Shown> {
  const more = thing.more === undefined ? null : await call('GET', thing.more, session)
  return thing.show(data as Data, more?.ok ? ((await more.json()) as Data) : {})
}

async function refuse({ c, thing, language, words }: Visit, answer: Response): Promise<Response> {
  const { status } = answer
  const title = words.titles[thing.title]
  if (status === 401) return noticePage(c, { status, language, title, content: renderSignIn(words, words.again) })
  const reasons: Partial<Record<number, string>> = { 404: words.missing, 410: words.missing, 429: words.busy }
  const forbidden = codeOf(await answer.json().catch(() => null)) === 'ip_not_allowed' ? words.address : words.mayNot
  const reason = status === 403 ? forbidden : (reasons[status] ?? words.failed)
  return noticePage(c, { status, language, title, content: html`<p>${reason}</p>` })
}

function fileOf(answer: Response): Response {
  const headers = new Headers({ 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' })
  for (const name of KEPT_OF_FILE) {
    const value = answer.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  return new Response(answer.body, { status: answer.status, headers })
}

interface SignedIn {
  token: string
  workspace: { id: string }
  workspaces: { id: string }[]
}

function codeOf(problem: unknown): unknown {
  return (problem as { code?: unknown } | null)?.code
}
