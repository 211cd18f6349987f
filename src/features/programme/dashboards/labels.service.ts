import type { ReadTx } from '../../../platform/database.ts'
import { formatId, type Id } from '../../../platform/ids.ts'
import { readTopicNames } from '../../answers/verbatim/topics.service.ts'
import { readAgents } from '../../surveys/agents/agents.service.ts'
import { ranked } from '../agents/ranking.ts'
import type { Figure } from './figures.ts'
import type { Dimension } from './query.ts'

export type Labelled = Figure & { key: string; label: string }

/** Names the groups for people. Agents and topics that are gone are left out. */
export async function labelsOf(
  tx: ReadTx,
  { kind }: Dimension,
  rows: Array<Figure & { key: string }>,
): Promise<Labelled[]> {
  if (kind === 'agent') {
    const agents = await readAgents(
      tx,
      rows.map(({ key }) => key as Id<'agent'>),
    )
    return rows.flatMap((row) => {
      const agent = agents.get(row.key as Id<'agent'>)
      return agent ? [{ ...row, key: row.key, label: agent.name }] : []
    })
  }
  if (kind === 'topic') {
    const names = await readTopicNames(tx)
    return rows.flatMap((row) => {
      const label = names.get(row.key)
      return label === undefined ? [] : [{ ...row, label }]
    })
  }
  return rows.map((row) => ({ ...row, label: row.key }))
}

/** The best first. Neighbours whose intervals overlap share a position. */
export function leaderboardOf(rows: Labelled[]): Array<Labelled & { position: number; tied_with_next: boolean }> {
  const enough = rows.filter((row) => row.enough)
  const figures = enough.map((row) => ({
    row,
    figure: { n: row.n, score: row.value, interval: row.interval ?? null },
  }))
  return ranked(figures).map(({ row, position, isTiedWithNext }) => ({
    ...row,
    position,
    tied_with_next: isTiedWithNext,
  }))
}

/** The public id of a group's key, or the key itself. */
export function publicKey({ kind }: Dimension, key: string): string {
  if (kind === 'agent') return formatId('agent', key as Id<'agent'>)
  return kind === 'topic' ? formatId('topic', key as Id<'topic'>) : key
}
