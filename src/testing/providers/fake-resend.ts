import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface ResendEmail {
  id: string
  idempotencyKey: string | null
  from: string
  to: string[]
  subject: string
  html?: string
  text?: string
  reply_to?: string
  headers?: Record<string, string>
  tags?: Array<{ name: string; value: string }>
}

export interface FakeResend {
  /** For `RESEND_BASE_URL`. */
  url: string
  apiKey: string
  /** Each accepted email, once. */
  emails: ResendEmail[]
  /** The number of requests, including refused and repeated ones. */
  requests: number
  /** Answers to the next requests, in order, in place of the real ones. */
  answers: Array<{ status: number; body?: unknown; headers?: Record<string, string> }>
  /** Runs after an email was accepted and before the answer. `false` breaks the connection. */
  onAccepted: ((email: ResendEmail) => boolean | void | Promise<boolean | void>) | null
  close(): Promise<void>
}

const ADDRESS = /^(?:[^<>\r\n]*<[^\s<>@,]+@[^\s<>@,]+>|[^\s<>@,]+@[^\s<>@,]+)$/

/** Resend's `POST /emails` as its documentation describes it: its requirements, refusals and memory. */
export async function startFakeResend(apiKey = 're_test_key'): Promise<FakeResend> {
  const remembered = new Map<string, { body: string; id: Promise<string> }>()
  const fake: FakeResend = {
    url: '',
    apiKey,
    emails: [],
    requests: 0,
    answers: [],
    onAccepted: null,
    close: async () => {},
  }

  const server = createServer((request, response) => {
    void handle(request, response).catch(() => response.destroy())
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    fake.requests += 1
    const raw = await text(request)
    const planned = fake.answers.shift()
    if (planned) return answer(response, planned.status, planned.body ?? {}, planned.headers)
    const refused = refusalOf(request, raw)
    if (refused) return answer(response, refused.statusCode, refused)
    const key = request.headers['idempotency-key']?.toString() ?? null
    const known = key === null ? undefined : remembered.get(key)
    if (known && known.body !== raw) {
      return answer(
        response,
        409,
        problem(409, 'invalid_idempotent_request', 'Same idempotency key used with a different request payload.'),
      )
    }
    if (known) return answer(response, 200, { id: await known.id })
    const id = randomUUID()
    if (key !== null) remembered.set(key, { body: raw, id: Promise.resolve(id) })
    const email: ResendEmail = { ...(JSON.parse(raw) as Omit<ResendEmail, 'id'>), id, idempotencyKey: key }
    fake.emails.push(email)
    if ((await fake.onAccepted?.(email)) === false) return void response.destroy()
    answer(response, 200, { id })
  }

  function refusalOf({ method, url, headers }: IncomingMessage, raw: string) {
    const bearer = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1]
    if (!headers['user-agent']) return problem(403, 'forbidden', 'error code: 1010')
    if (bearer === undefined) return problem(401, 'missing_api_key', 'Missing API key in the authorization header')
    if (bearer !== apiKey) return problem(403, 'invalid_api_key', 'API key is invalid')
    if (url !== '/emails') return problem(404, 'not_found', 'The requested endpoint does not exist')
    if (method !== 'POST') return problem(405, 'method_not_allowed', 'Method is not allowed for the requested path')
    const key = headers['idempotency-key']
    if (key !== undefined && (key.length < 1 || key.length > 256))
      return problem(400, 'invalid_idempotency_key', 'The key must be between 1-256 chars')
    return bodyRefusal(raw)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  fake.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return fake
}

function bodyRefusal(raw: string) {
  let body: Partial<Record<keyof ResendEmail, unknown>>
  try {
    body = JSON.parse(raw) as typeof body
  } catch {
    return problem(400, 'validation_error', 'The body is not valid JSON')
  }
  for (const name of ['from', 'to', 'subject'] as const)
    if (!body[name]) return problem(422, 'missing_required_field', `Missing \`${name}\` field`)
  if (!body.html && !body.text) return problem(422, 'missing_required_field', 'Missing `html` or `text` field')
  const to = Array.isArray(body.to) ? body.to : [body.to]
  if (to.length > 50) return problem(422, 'validation_error', 'At most 50 recipients')
  for (const address of [body.from, ...to]) {
    if (typeof address !== 'string' || !ADDRESS.test(address))
      return problem(422, 'validation_error', `Invalid address ${String(address)}`)
  }
  if (/[\r\n]/.test(String(body.subject)))
    return problem(422, 'validation_error', 'The `\\n` is not allowed in the `subject` field')
  for (const tag of (body.tags ?? []) as Array<{ name?: unknown; value?: unknown }>) {
    for (const part of [tag.name, tag.value]) {
      if (typeof part !== 'string' || !/^[A-Za-z0-9_-]{1,256}$/.test(part)) {
        return problem(
          422,
          'validation_error',
          'Tags should only contain ASCII letters, numbers, underscores, or dashes.',
        )
      }
    }
  }
  return null
}

function problem(statusCode: number, name: string, message: string) {
  return { statusCode, name, message }
}

function answer(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
