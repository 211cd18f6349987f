import type { Route } from '../routes/route.ts'
import type { Answer, Document } from './schema.ts'

const TEXT = { type: 'string' }
const COUNT = { type: 'integer', minimum: 0 }

/** The headers of answers, once each. */
export const ANSWER_HEADERS = {
  'X-Request-Id': { description: 'The id of this request, as in the log of the server.', schema: TEXT },
  'RateLimit-Limit': { description: 'How many requests the caller may send in a minute.', schema: COUNT },
  'RateLimit-Remaining': { description: 'How many of them are left.', schema: COUNT },
  'RateLimit-Reset': { description: 'Seconds until all are there again.', schema: COUNT },
  'Retry-After': { description: 'Seconds to wait before the next try.', schema: COUNT },
  ETag: { description: 'The version of this answer, for `If-Match` or `If-None-Match`.', schema: TEXT },
  Location: { description: 'The address to go on at.', schema: TEXT },
  'Idempotency-Replayed': {
    description: '`true` if this is the answer to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
  },
}

type AnswerHeader = keyof typeof ANSWER_HEADERS

const TITLES: Record<string, string> = {
  304: 'NotModified',
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Gone',
  412: 'PreconditionFailed',
  413: 'ContentTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Unprocessable',
  429: 'TooManyRequests',
  431: 'HeadersTooLarge',
  502: 'BadGateway',
  503: 'Unavailable',
  504: 'GatewayTimeout',
}

/** Adds the headers that the middleware sends, and the answer to every other failure. */
export function addHeaders(document: Document, routes: Route[]): void {
  const ofRoute = new Map(routes.map((route) => [route.operationId, route]))
  document.components.headers = ANSWER_HEADERS
  for (const methods of Object.values(document.paths))
    for (const operation of Object.values(methods)) {
      const route = ofRoute.get(operation.operationId)
      if (!route) continue
      operation.responses['default'] = {
        description: 'Another failure. `code` names it.',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      }
      for (const [status, answer] of Object.entries(operation.responses))
        answer.headers = Object.fromEntries(
          headersOf(route, status).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
        )
    }
}

function headersOf(route: Route, status: string): AnswerHeader[] {
  const isSuccess = /^[23]/.test(status)
  const sends = route.response.headers ?? []
  const sentWith304 = sends.filter((name) => name !== 'Location')
  return [
    'X-Request-Id',
    ...(route.kind === 'tenant' ? (['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const) : []),
    ...(status === '429' || status === '503' || status === 'default' ? (['Retry-After'] as const) : []),
    ...(isSuccess ? (status === '304' ? sentWith304 : sends) : []),
    ...(route.idempotent && isSuccess ? (['Idempotency-Replayed'] as const) : []),
  ]
}

/** Answers that several operations share are components. */
export function shareAnswers(document: Document): void {
  const answers = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ responses }) =>
      Object.entries(responses).map(([status, answer]) => ({ responses, status, answer })),
    ),
  )
  const shared: Record<string, Answer> = {}
  const problems = answers.filter(({ status }) => !status.startsWith('2'))
  const groups = [...Map.groupBy(problems, ({ status, answer }) => `${status} ${JSON.stringify(answer)}`).values()]
  for (const group of groups.toSorted((a, b) => b.length - a.length)) {
    const [first] = group
    if (!first) continue
    const title = first.status === 'default' ? 'AnyProblem' : (TITLES[first.status] ?? `Status${first.status}`)
    let name = title
    for (let n = 2; shared[name]; n += 1) name = `${title}${n}`
    shared[name] = first.answer
    for (const { responses, status } of group) responses[status] = { $ref: `#/components/responses/${name}` }
  }
  document.components.responses = shared
}
