import type { z } from 'zod'
import { readBody } from './body.ts'
import { askerOf, type AppContext } from '../context.ts'
import { readJson } from './json-body.ts'
import { parseInTurn } from './large-bodies.ts'
import { parseBody } from './parse-body.ts'
import { badRequest, Problem, type Issue } from '../problems/problem.ts'

/**
 * Reads the body of an import, which is JSON of a schema or a CSV. The route declares `content-type`.
 * @throws Problem 400, 413, 415.
 */
export async function readJsonOrCsv<Schema extends z.ZodType, Csv extends { issues: Issue[] }>(
  c: AppContext,
  limit: number,
  schema: Schema,
  readCsv: (bytes: Uint8Array, contentType: string) => Promise<Csv>,
): Promise<z.output<Schema> | Csv> {
  const bytes = await readBody(c.req.raw, limit)
  const type = c.req.header('content-type') ?? ''
  if (/^text\/csv\b/i.test(type)) {
    const csv = await readCsv(bytes, type)
    if (csv.issues.length > 0) throw badRequest(csv.issues)
    return csv
  }
  if (type !== '' && !/^application\/([\w.-]+\+)?json\b/i.test(type))
    throw new Problem(415, 'unsupported_media_type', {
      detail: 'Send `application/json` or `text/csv`. Save a workbook as CSV UTF-8 first.',
    })
  return parseInTurn(
    () => askerOf(c),
    { bytes, gone: () => c.req.raw.signal },
    async () => parseBody(schema, await readJson(c.req.raw, limit)),
  )
}
