import { OpenApiGeneratorV31, OpenAPIRegistry } from '@asteasolutions/zod-to-openapi'
import type { z } from 'zod'
import { describeFields, type EntityName } from '../../platform/filter/entity.ts'
import { FIELDS_MARK } from '../../platform/filter/schema.ts'
import { sortNames, SORTS_MARK } from '../../platform/fields/catalogue.ts'
import { describeParts } from '../../platform/fields/parts.ts'
import type { ListName } from '../../platform/readers.ts'
import { ID_PREFIXES, type IdKind } from '../../platform/ids.ts'
import { ProblemBody } from '../problems/problem-body.ts'
import { HEADERS, type HeaderName } from '../routes/headers.ts'
import { KIB, MIB } from '../bodies/body.ts'
import type { Route } from '../routes/route.ts'
import { addHeaders, shareAnswers } from './answers.ts'
import type { Document } from './schema.ts'
import { nameShapes } from './shapes.ts'
import { TAGS } from './tags.ts'
import { addEvents, type Event } from './webhooks.ts'

const MEANINGS: Record<number, string> = {
  400: 'The request does not fit the schema.',
  401: 'No valid session token or API key was sent.',
  403: 'The permission is missing, or the address is not on the allowlist.',
  404: 'There is nothing here that the caller can see.',
  409: 'The Idempotency-Key is in use, or the resource is in another state.',
  413: 'The body is too large.',
  415: 'The body is compressed, or it is not JSON.',
  422: 'The request fits the schema but breaks a rule.',
  429: 'Too many requests.',
  431: 'The address and the headers together are too long.',
  503: 'The database cannot be reached, or too many large bodies are waiting (`busy`).',
}

/** The OpenAPI 3.1 document of the mounted routes and the events, built from the schemas that validate them. */
export function describeApi(routes: Route[], events: Event[], version: string): Document {
  const registry = new OpenAPIRegistry()
  registry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'A session token or an API key `ear_live_…`.',
  })
  for (const route of routes) registry.registerPath(describeRoute(route))
  const document = new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Earshot',
      version,
      description: 'Ask for feedback, keep it safe, and send every event to your own systems by signed webhooks.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name, description: TAGS[name] })),
  })
  const text = describeParts(JSON.stringify(document))
    .replace(FIELDS_MARK, (_, entity: EntityName) => describeFields(entity))
    .replace(SORTS_MARK, (_, list: ListName) =>
      sortNames(list)
        .map((name) => `\`${name}\``)
        .join(', '),
    )
  const described = JSON.parse(text) as Document
  addEvents(described, events)
  addHeaders(described, routes)
  nameShapes(described)
  shareAnswers(described)
  return described
}

function describeRoute(route: Route): Parameters<OpenAPIRegistry['registerPath']>[0] {
  const content = route.response.schema
    ? { content: { [route.response.contentType ?? 'application/json']: { schema: route.response.schema } } }
    : route.response.contentType
      ? { content: { [route.response.contentType]: { schema: { type: 'string' as const } } } }
      : {}
  const problems = problemStatuses(route)
  const description = [route.description, whoMayCall(route)].filter(Boolean).join('\n\n')
  const parameters = Object.entries(route.params).map(([name, kind]) => ({
    name,
    in: 'path' as const,
    required: true,
    schema: { type: 'string' as const },
    description: describeParam(kind),
  }))
  const headers = route.idempotent
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header' as const,
          required: false,
          schema: { type: 'string' as const, minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
          description: 'A retry with the same key gets the first success again, for 24 hours. A refusal frees the key.',
        },
      ]
    : []
  return {
    method: route.method,
    path: route.path.replace(/:(\w+)(\{[^}]*\})?/g, '{$1}'),
    operationId: route.operationId,
    summary: route.summary,
    tags: [route.tag],
    description,
    ...(route.permission && { 'x-permission': route.permission }),
    ...(route.kind !== 'tenant' && { security: [] }),
    ...(isPaged(route) && { 'x-pagination': { cursor: 'cursor', next_cursor: 'next_cursor', items: 'data' } }),
    parameters: [...parameters, ...headers, ...route.headers.map(describeHeader)],
    request: {
      ...(route.query && { query: route.query as z.ZodObject }),
      ...((route.body || route.rawBody) && {
        body: {
          required: !route.optionalBody,
          description: `At most ${sizeOf(route.bodyLimit)}.`,
          content: contentOf(route),
        },
      }),
    },
    responses: {
      ...(route.takesForm && { 200: { description: 'A form is answered with a page.', content: PAGE } }),
      ...(route.response.also && {
        [route.response.also.status]: { description: route.response.also.description, ...content },
      }),
      [route.response.status]: { description: route.response.description ?? 'Success.', ...content },
      ...Object.fromEntries(
        Object.entries(problems).map(([status, description]) => [
          status,
          {
            description,
            content: { 'application/problem+json': { schema: ProblemBody }, ...(answersPages(route) && PAGE) },
          },
        ]),
      ),
    },
  } as Parameters<OpenAPIRegistry['registerPath']>[0]
}

function whoMayCall({ kind, permission }: Route): string {
  if (permission) return `Permission: \`${permission}\`.`
  return kind === 'tenant' ? 'Every member of the workspace may call it.' : 'It needs no token.'
}

/** True if `next_cursor` of the answer is the `cursor` of the next request. */
function isPaged({ query, response }: Route): boolean {
  const answer = response.schema as z.ZodObject | undefined
  return 'cursor' in ((query as z.ZodObject | undefined)?.shape ?? {}) && 'next_cursor' in (answer?.shape ?? {})
}

const PAGE = { 'text/html': { schema: { type: 'string' as const } } }

/** True if a browser gets the problems of this route as pages. */
function answersPages(route: Route): boolean {
  return route.takesForm || route.response.contentType === 'text/html' || route.headers.includes('accept')
}

function contentOf({
  body,
  rawBody,
  takesForm,
  example,
}: Route): Record<string, { schema: z.ZodType; example?: unknown }> {
  if (body) {
    const json = { 'application/json': { schema: body, ...(example !== undefined && { example }) } }
    return takesForm ? { ...json, 'application/x-www-form-urlencoded': { schema: body } } : json
  }
  return Object.fromEntries(Object.entries(rawBody ?? {}).map(([type, schema]) => [type, { schema }]))
}

function describeHeader(name: HeaderName) {
  const { description, ...limits }: { description: string; pattern?: string; maxLength?: number } = HEADERS[name]
  return { name, in: 'header' as const, required: false, schema: { type: 'string' as const, ...limits }, description }
}

function sizeOf(bytes: number): string {
  return bytes >= MIB ? `${bytes / MIB} MiB` : `${bytes / KIB} KiB`
}

/** Every status that a route can answer, except success. */
export function problemStatuses(route: Route): Record<number, string> {
  const statuses = new Set<number>([503])
  if (route.kind === 'tenant') for (const status of [401, 403, 429]) statuses.add(status)
  if (Object.keys(route.params).length > 0) statuses.add(404)
  if (route.query || route.body || route.rawBody || route.idempotent) statuses.add(400)
  if (route.query || Object.values(route.params).includes('text')) statuses.add(431)
  if (route.method !== 'get') for (const status of [413, 415]) statuses.add(status)
  if (route.idempotent) statuses.add(409)
  return { ...Object.fromEntries([...statuses].map((status) => [status, MEANINGS[status] ?? ''])), ...route.problems }
}

function describeParam(kind: IdKind | 'text'): string {
  return kind === 'text' ? 'Text.' : `An id, \`${ID_PREFIXES[kind]}_…\`.`
}
