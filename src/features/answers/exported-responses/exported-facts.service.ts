import type { ReadTx } from '../../../platform/database/database.ts'
import type { ExportColumn } from '../../../platform/export-source.ts'
import type { Id } from '../../../platform/ids.ts'
import { readAgents } from '../../surveys/agents/agents.service.ts'
import { placeOf, type ExportedCells } from './exporting.store.ts'

const ID = placeOf('id')
const AGENT_ID = placeOf('agent_id')

/** Columns of responses that another feature knows, and that are lists. */
export interface ResponseFacts {
  columns: ExportColumn[]
  /** The fields among them whose values are proposed. */
  suggests: string[]
  /** The lists of these responses by their fields. A response may be absent. */
  read(tx: ReadTx, ids: Id<'response'>[]): Promise<Map<Id<'response'>, Record<string, unknown[]>>>
}

/** Finds a value that another table has for a response. */
export type FactsOf = (field: string) => ((row: ExportedCells) => unknown) | undefined

/** Facts of a page of responses, if these fields are exported: the agents in one statement, and those of features. */
export async function readFacts(
  tx: ReadTx,
  rows: ExportedCells[],
  fields: string[],
  facts: ResponseFacts[],
): Promise<FactsOf> {
  const agentIds = new Set(rows.flatMap((row) => (row[AGENT_ID] ? [row[AGENT_ID] as Id<'agent'>] : [])))
  const agents = fields.includes('team') && agentIds.size > 0 ? await readAgents(tx, [...agentIds]) : null
  const reads = new Map<string, (row: ExportedCells) => unknown>([
    ['team', (row) => agents?.get(row[AGENT_ID] as Id<'agent'>)?.team ?? null],
  ])
  const ids = rows.map((row) => row[ID] as Id<'response'>)
  for (const { columns, read } of facts) {
    const wanted = columns.filter(({ field }) => fields.includes(field))
    const found = wanted.length > 0 ? await read(tx, ids) : null
    for (const { field } of wanted) reads.set(field, (row) => found?.get(row[ID] as Id<'response'>)?.[field] ?? [])
  }
  return (field) => reads.get(field)
}
