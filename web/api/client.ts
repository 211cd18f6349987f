import createClient from 'openapi-fetch'
import type { components, paths } from './schema.d.ts'

export type Schemas = components['schemas']

type Body = Partial<Schemas['Problem']> & { used_by?: ApiProblem['usedBy']; matching?: number }

/** A refusal by the API, or a network that failed (status 0). */
export class ApiProblem extends Error {
  readonly status: number
  readonly code: string
  readonly requestId: string | null
  readonly permission: string | null
  readonly retryAfterS: number | null
  /** `path` names the member of the body. */
  readonly issues: Array<{ path: string; message: string }>
  /** Of `in_use`: the things that use it. */
  readonly usedBy: Array<{ type: string; id?: string; name?: string | null }>
  /** Of `changed`: how many rows match now. */
  readonly matching: number | null

  constructor(status: number, body: Body, retryAfter: string | null = null) {
    super(body.detail ?? body.title ?? '')
    this.status = status
    this.code = body.code ?? (status === 0 ? 'network' : 'unknown')
    this.requestId = body.request_id ?? null
    this.permission = body.permission ?? null
    this.issues = body.issues ?? []
    this.usedBy = body.used_by ?? []
    this.matching = body.matching ?? null
    this.retryAfterS = retryAfter === null ? null : Number(retryAfter)
  }
}

interface Options {
  /** Null calls without a session. */
  token: () => string | null
  /** The API does not know the session any more. */
  onUnauthorized: () => void
}

export type Client = ReturnType<typeof createClient<paths>>

/** The API of this server, typed from `openapi.json`. */
export function createApi({ token, onUnauthorized }: Options): Client {
  const client = createClient<paths>({ fetch: fetchOrProblem })
  client.use({
    onRequest({ request }) {
      const present = token()
      if (present !== null) request.headers.set('authorization', `Bearer ${present}`)
    },
    onResponse({ request, response }) {
      if (response.status === 401 && request.headers.has('authorization')) onUnauthorized()
    },
  })
  return client
}

/** The answer of a call. @throws {ApiProblem} for a refusal */
export async function answerOf<Answer>(
  call: Promise<{ data?: Answer; error?: unknown; response: Response }>,
): Promise<Answer> {
  const { data, error, response } = await call
  if (!response.ok) throw new ApiProblem(response.status, (error ?? {}) as Body, response.headers.get('retry-after'))
  return data as Answer
}

/** The answer of a call, and the tag that says which state of the thing it is. @throws {ApiProblem} for a refusal */
export async function taggedAnswerOf<Answer>(
  call: Promise<{ data?: Answer; error?: unknown; response: Response }>,
): Promise<{ thing: Answer; etag: string }> {
  return { thing: await answerOf(call), etag: (await call).response.headers.get('etag') ?? '*' }
}

async function fetchOrProblem(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error
    throw new ApiProblem(0, {})
  }
}
