import type { ReadTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import { readAgents } from '../../surveys/agents/agents.service.ts'
import { readMarks } from '../verbatim/exporting.service.ts'
import { placeOf, type ExportedCells } from './exporting.store.ts'

const ID = placeOf('id')
const AGENT_ID = placeOf('agent_id')

/** Finds a value that another table has for a response. */
export type FactsOf = (field: string) => ((row: ExportedCells) => unknown) | undefined

/** Facts of a page of responses in two statements, if these fields are exported: the agents, and the texts' marks. */
export async function readFacts(tx: ReadTx, rows: ExportedCells[], fields: string[]): Promise<FactsOf> {
  const agentIds = new Set(rows.flatMap((row) => (row[AGENT_ID] ? [row[AGENT_ID] as Id<'agent'>] : [])))
  const agents = fields.includes('team') && agentIds.size > 0 ? await readAgents(tx, [...agentIds]) : null
  const hasMarks = fields.includes('topic') || fields.includes('sentiment')
  const marks = hasMarks
    ? await readMarks(
        tx,
        rows.map((row) => row[ID] as Id<'response'>),
      )
    : null
  const marksOf = (row: ExportedCells) => marks?.get(row[ID] as Id<'response'>)
  const reads: Record<string, (row: ExportedCells) => unknown> = {
    team: (row) => agents?.get(row[AGENT_ID] as Id<'agent'>)?.team ?? null,
    topic: (row) => marksOf(row)?.topics ?? [],
    sentiment: (row) => marksOf(row)?.sentiments ?? [],
  }
  return (field) => reads[field]
}
