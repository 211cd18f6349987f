import type { ReadTx } from '../../../platform/database/database.ts'
import { keysIn } from '../../../platform/database/group-keys.ts'
import { namesOf } from '../../../platform/fields/parts.ts'
import { formatId, type Id, type IdKind } from '../../../platform/ids.ts'
import { mapInSlices } from '../../../platform/loop/turns.ts'
import { readAgents } from '../../surveys/agents/agents.service.ts'
import { ranked } from '../leaderboards/ranking.ts'
import type { Figure } from './figures.ts'
import { nameOf, type Dimension } from './query.ts'

/** A group as people read it. */
interface Group {
  key: string
  label: string
}

export type Labelled = Figure & Group & { cellKey: string; groups?: Array<Group & { by: string }> }

/** Names the groups for people. Things that are gone are left out. */
export async function labelsOf(
  tx: ReadTx,
  dimensions: Dimension[],
  rows: Array<Figure & { key: string }>,
): Promise<Labelled[]> {
  const parts = await mapInSlices(rows, ({ key }) => keysIn(key, dimensions.length))
  const namings = await Promise.all(
    dimensions.map((dimension, index) =>
      namingOf(
        tx,
        dimension,
        parts.map((keys) => String(keys[index])),
      ),
    ),
  )
  const labelled = await mapInSlices(rows.entries(), ([at, { key: cellKey, ...row }]) => {
    const groups = namings.flatMap((naming, index) => naming(String(parts[at]?.[index])) ?? [])
    if (groups.length < dimensions.length) return []
    const key = groups.map((group) => group.key).join(', ')
    const label = groups.map((group) => group.label).join(', ')
    return [{ ...row, cellKey, key, label, ...(groups.length > 1 && { groups }) }]
  })
  return labelled.flat()
}

/** How the keys of a dimension are shown: things by their public id and name. */
async function namingOf(
  tx: ReadTx,
  dimension: Dimension,
  keys: string[],
): Promise<(key: string) => (Group & { by: string }) | null> {
  const by = nameOf(dimension)
  const idKind = dimension.kind === 'added' ? dimension.group.idKind : NAMED[dimension.kind]
  const read = idKind && namesOf(idKind)
  if (read) {
    const names = await read(tx, [...new Set(keys)] as Id<never>[])
    return (key) => {
      const label = names.get(key)
      return label === undefined ? null : { by, key: formatId(idKind, key as Id<IdKind>), label }
    }
  }
  if (dimension.kind === 'owner')
    return (key) => ({ by, key: formatId('user', key as Id<'user'>), label: formatId('user', key as Id<'user'>) })
  if (dimension.kind === 'agent') {
    const agents = await readAgents(tx, [...new Set(keys)] as Id<'agent'>[])
    return (key) => {
      const agent = agents.get(key as Id<'agent'>)
      return agent ? { by, key: formatId('agent', agent.id), label: agent.name } : null
    }
  }
  return (key) => ({ by, key, label: key })
}

/** Groups by an id. Their features name them. */
const NAMED: Partial<Record<Dimension['kind'], IdKind>> = { survey: 'survey', rule: 'alertRule', webhook: 'webhook' }

/** The best first, with positions as in the leaderboard of agents. */
export function leaderboardOf(rows: Labelled[]): Array<Labelled & { position: number; tied_with_next: boolean }> {
  const enough = rows.filter((row) => row.enough)
  const figures = enough.map((row) => ({
    row,
    figure: { n: row.n, score: row.value, mean: row.mean ?? null, interval: row.interval ?? null },
  }))
  return ranked(figures).map(({ row, position, isTiedWithNext }) => ({
    ...row,
    position,
    tied_with_next: isTiedWithNext,
  }))
}
