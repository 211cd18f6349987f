import { QueryClient } from '@tanstack/react-query'
import { answerOf, createApi, taggedAnswerOf, ApiProblem } from '../../api/client.ts'
import { endSession, presentSession, beginSession } from './session.ts'

/** The API as the person of the session. A session that ended elsewhere ends here at the next call. */
export const api = createApi({
  token: () => {
    const session = presentSession()
    return session.status === 'in' ? session.token : null
  },
  onUnauthorized: () => endSession('elsewhere'),
})

export { answerOf, taggedAnswerOf }

const TRIES = 2

/** A refusal is final. Only a failure of the server or the network is tried again, once. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) =>
        failures < TRIES - 1 && !(error instanceof ApiProblem && error.status >= 400 && error.status < 500),
      throwOnError: false,
    },
  },
})

/**
 * An address that gives a file once, without a token. Relative, so that it works whatever name the server is reached
 * by.
 */
export async function ticketPath(path: string): Promise<string> {
  const { url } = await answerOf(api.POST('/v1/tickets', { body: { path } }))
  return new URL(url).pathname
}

/** Makes the browser download a file, which its own request could not fetch: it sends no token. */
export async function download(path: string): Promise<void> {
  location.assign(await ticketPath(path))
}

/** Goes on in another workspace of the caller, at the same address. */
export async function switchWorkspace(id: string): Promise<void> {
  const { token } = await answerOf(api.POST('/v1/session/workspace', { body: { workspace_id: id } }))
  beginSession(token)
}

/** Waits until typing has paused. @throws the reason of the signal if the question changed before that */
export async function afterPause(signal: AbortSignal, ms = 300): Promise<void> {
  await new Promise((resume) => setTimeout(resume, ms))
  signal.throwIfAborted()
}

type Issue = ApiProblem['issues'][number]

/** The faults that the API found in a body: all of them, and the message at a member or inside it. */
export function issuesOf(
  error: unknown,
  above = '',
): { issues: Issue[]; errorOf: (name: string) => string | undefined } {
  const issues = error instanceof ApiProblem ? error.issues : []
  return {
    issues,
    errorOf: (name) =>
      issues.find(({ path }) => path === `${above}${name}` || path.startsWith(`${above}${name}.`))?.message,
  }
}

/** Makes the browser keep a file that the page made. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
