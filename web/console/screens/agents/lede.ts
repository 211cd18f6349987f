/** An agent's place in the leaderboard. */
interface Placed {
  position: number
  agent: { name: string }
  score: number | null
  interval: { low: number; high: number } | null
}

export type AgentsLede =
  | {
      key: 'agents:lede.none' | 'agents:lede.only' | 'agents:lede.tied' | 'agents:lede.allTied'
      values: Record<string, string | number>
    }
  | { key: 'agents:lede.first' | 'agents:lede.firstAlone'; values: { name: string } }

/** Who is good, and is the difference real? */
export function agentsLede(rows: Placed[]): AgentsLede {
  const [first] = rows
  if (!first) return { key: 'agents:lede.none', values: {} }
  // Isolated, because a name may run in another direction than the sentence.
  const values = { name: `\u2068${first.agent.name}\u2069` }
  if (rows.length === 1) return { key: 'agents:lede.only', values }
  const ahead = rows.filter(({ position }) => position === first.position).length
  if (ahead === 1) return { key: isAheadOfAll(rows) ? 'agents:lede.first' : 'agents:lede.firstAlone', values }
  return { key: ahead === rows.length ? 'agents:lede.allTied' : 'agents:lede.tied', values: { count: ahead } }
}

// Somebody with few answers has a wide interval, which may reach up to the first past others in between.
function isAheadOfAll([first, ...others]: Placed[]): boolean {
  const low = first?.interval?.low ?? first?.score ?? -Infinity
  return others.every(({ score, interval }) => (interval?.high ?? score ?? Infinity) < low)
}
