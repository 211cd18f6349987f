import type { TenantTx } from '../../../platform/database/database.ts'
import { newId, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { CATALOGUE } from './events.schema.ts'
import { insertEvent } from './events.store.ts'

/** Writes the catalogue's example as an event of its own. Null for an unknown name. */
export async function insertExample(
  scope: Scope,
  tx: TenantTx,
  type: string,
): Promise<{ id: Id<'event'>; type: string; surveyId: null; content: { data: string; createdAt: Date } } | null> {
  const entry = CATALOGUE.find((known) => known.name === type)
  if (!entry) return null
  const [id, createdAt] = [newId('event'), scope.clock.now()]
  const data = JSON.stringify(entry.example.data)
  const row = { id, type, survey_id: null, source: `test:${id}`, data, created_at: createdAt, subject_id: null }
  await tx.prepared(insertEvent(tx, row))
  return { id, type, surveyId: null, content: { data, createdAt } }
}

/** The catalogue's example of an event as a request body. Null for an unknown name. */
export function exampleBody(type: string): string | null {
  const entry = CATALOGUE.find((known) => known.name === type)
  return entry ? JSON.stringify(entry.example) : null
}
