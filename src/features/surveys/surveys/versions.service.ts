import type { z } from 'zod'
import { presentPage, type Page, type PageRequest } from '../../../http/routes/pagination.ts'
import { notFound } from '../../../http/problems/problem.ts'
import type { ReadTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { SurveyDefinition } from '../../../survey-engine/model/definition.ts'
import { withDefinitions } from './definitions.service.ts'
import type { SurveyVersion } from './surveys.schema.ts'
import * as store from './surveys.store.ts'

const MOST_BYTES_OF_VERSIONS = 1_500_000

/** Versions, newest first. A page of large definitions may end before its limit; its cursor continues there. */
export async function listVersions(
  scope: Scope,
  id: Id<'survey'>,
  page: PageRequest,
): Promise<Page<z.input<typeof SurveyVersion>>> {
  return withDefinitions(scope, async () => {
    const { rows, shown } = await scope.read(async (tx) => {
      if (!(await store.findOpening(tx, id))) throw notFound('survey')
      return readVersions(tx, id, page)
    })
    return presentPage(rows, { ...page, limit: shown }, ({ version, published_at, published_by, text }) => ({
      version,
      published_at: published_at.toISOString(),
      published_by,
      definition: JSON.parse(text) as SurveyDefinition,
    }))
  })
}

/** The versions of a page, and one more if there are more. */
async function readVersions(
  tx: ReadTx,
  id: Id<'survey'>,
  { limit, before }: PageRequest,
): Promise<{ rows: store.ListedVersion[]; shown: number }> {
  const rows: store.ListedVersion[] = []
  let bytes = 0
  let wanted = 2
  while (rows.length <= limit) {
    const asked = Math.min(wanted, limit + 1 - rows.length)
    const more = await store.listVersions(tx, id, { limit: asked, before: rows.at(-1)?.id ?? before })
    rows.push(...more)
    for (const row of more) bytes += row.bytes
    if (more.length < asked) break
    if (bytes >= MOST_BYTES_OF_VERSIONS) return { rows, shown: Math.min(limit, rows.length - 1) }
    wanted = Math.max(1, Math.floor((MOST_BYTES_OF_VERSIONS - bytes) / (bytes / rows.length)))
  }
  return { rows, shown: limit }
}
