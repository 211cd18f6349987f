import { z } from 'zod'
import { composed } from '../../platform/text/composed.ts'
import { parseId, type Id, type IdKind } from '../../platform/ids.ts'
import { isStorable, MIB, readBody } from '../bodies/body.ts'
import { askerOf, type AppContext } from '../context.ts'
import { readJson } from '../bodies/json-body.ts'
import { parseInTurn } from '../bodies/large-bodies.ts'
import { parse, parseBody } from '../bodies/parse-body.ts'
import { explainQueryIssue } from '../bodies/schema-messages.ts'
import { badRequest, notFound } from '../problems/problem.ts'
import type { RateLimiters } from '../limits/rate-limit.ts'

// The token of a click contains its target, at most 2,000 characters.
const LONGEST_TEXT = 4_000

/** `:name` segments of a path: a kind of id (a malformed one is 404), or plain text. */
export type PathParams = Record<string, IdKind | 'text'>
export type PathValues<P extends PathParams> = { [Name in keyof P]: P[Name] extends IdKind ? Id<P[Name]> : string }

export interface RouteInput<P extends PathParams, Q, B> {
  params: PathValues<P>
  query: Q
  body: B
  c: AppContext
  limiters: RateLimiters
}

/** The parts of a route's declaration that say how its input is read. */
export interface Reading<P extends PathParams, Q extends z.ZodType, B extends z.ZodType> {
  params?: P
  query?: Q
  /** The handler reads the query itself. The schema only describes it. */
  readsQuery?: boolean
  body?: B
  /** A missing body counts as `{}`. */
  optionalBody?: boolean
  /** In bytes. Default: 1 MiB. */
  bodyLimit?: number
  /** The schema of the body by media type. The handler reads the body itself, within the limit. */
  rawBody?: Record<string, z.ZodType>
}

/** Parses path, query and body. @throws Problem 400, 404 for a malformed id, 413. */
export async function parseInput<P extends PathParams, Q extends z.ZodType, B extends z.ZodType>(
  declaration: Reading<P, Q, B> & { method: string },
  c: AppContext,
  limiters: RateLimiters,
): Promise<RouteInput<P, z.output<Q>, z.output<B>>> {
  const params = parsePath(declaration.params ?? ({} as P), c)
  const query = parseQuery(declaration, c)
  const limit = declaration.bodyLimit ?? MIB
  const body = declaration.body
    ? await parseInTurn(
        () => askerOf(c),
        { bytes: await readBody(c.req.raw, limit), gone: () => c.req.raw.signal },
        () => readValid(declaration, c.req.raw, limit),
      )
    : undefined
  // An unexpected body is read and dropped, because its limit still holds.
  if (!declaration.body && !declaration.rawBody && declaration.method !== 'get') await readBody(c.req.raw, limit)
  return { params, query: query as z.output<Q>, body: body as z.output<B>, c, limiters }
}

// A caller of the API who believes in a parameter that does not exist, such as `dry_run`, must not be obeyed in part.
const NO_PARAMETERS = z.strictObject({})

function parseQuery({ query, readsQuery }: { query?: z.ZodType; readsQuery?: boolean }, c: AppContext): unknown {
  if (readsQuery) return undefined
  if (query) return parse(query, queryValues(c), explainQueryIssue)
  const { url } = c.req.raw
  if (url.includes('?') && c.req.path.startsWith('/v1/'))
    parse(NO_PARAMETERS, Object.fromEntries(new URL(url).searchParams), explainQueryIssue)
  return undefined
}

async function readValid(
  { body, optionalBody }: { body?: z.ZodType | undefined; optionalBody?: boolean | undefined },
  request: Request,
  limit: number,
): Promise<unknown> {
  const bytes = await readBody(request, limit)
  const value = optionalBody && bytes.byteLength === 0 ? {} : await readJson(request, limit)
  return body && parseBody(body, value)
}

/** @throws Problem 404 for a malformed id. */
export function parsePath<P extends PathParams>(params: P, c: AppContext): PathValues<P> {
  const values: Record<string, string> = {}
  for (const [name, kind] of Object.entries(params)) {
    const text = c.req.param(name) ?? ''
    const value =
      kind === 'text' ? (text.length <= LONGEST_TEXT && isStorable(text) ? text : null) : parseId(kind, text)
    if (value === null) throw notFound()
    values[name] = value
  }
  return values as PathValues<P>
}

function queryValues(c: AppContext): Record<string, string> {
  const values = c.req.query()
  for (const [name, value] of Object.entries(values)) {
    values[name] = composed(value)
    if (!isStorable(value))
      throw badRequest([{ path: name, message: 'Remove the NUL characters and lone surrogates from the text.' }])
  }
  return values
}
