import { groupInSlices, mapInSlices } from '../../../../platform/loop/turns.ts'
import type { ThemeRow } from '../verbatim-rows.ts'

const FEWEST_SCORED = 5
/** Texts on each side without which an effect has no interval. */
const FEWEST_FOR_INTERVAL = 30
const Z_95 = 1.96

export interface Theme {
  topicId: string
  n: number
  share: number
  sentiment: number | null
  scoreImpact: number | null
  scoreImpactInterval: { low: number; high: number; level: 95 } | null
  trend: Array<{ at: string; n: number }>
  change: number | null
}

/** Figures of topics from counts of two periods. Scores are compared within the metric that most texts have. */
export async function themesOf(now: ThemeRow[], before: ThemeRow[]): Promise<Theme[]> {
  const topics = await groupInSlices(now, (row) => row.topic_id)
  const earlier = await groupInSlices(before, (row) => row.topic_id)
  const all = topics.get(null) ?? []
  topics.delete(null)
  const total = sum(all, 'n')
  const totalBefore = sum(earlier.get(null) ?? [], 'n')
  const metric = commonest(all)
  const every = totalsOf(all.filter((row) => row.metric === metric))
  const steps = [...new Set(all.map(({ at }) => at.getTime()))].sort((a, b) => a - b)
  const names = steps.map((at) => new Date(at).toISOString())
  const themes = await mapInSlices(topics, ([topicId, rows]): Theme => {
    const n = sum(rows, 'n')
    const share = total === 0 ? 0 : (n / total) * 100
    const own = totalsOf(rows.filter((row) => row.metric === metric))
    const counts = new Map<number, number>()
    for (const row of rows) counts.set(row.at.getTime(), (counts.get(row.at.getTime()) ?? 0) + row.n)
    return {
      topicId: topicId as string,
      n,
      share: rounded(share),
      sentiment: n === 0 ? null : rounded(sum(rows, 'sentiment_sum') / n),
      scoreImpact: impactOf(own, every),
      scoreImpactInterval: intervalOf(own, every),
      trend: steps.map((at, index) => ({ at: names[index] ?? '', n: counts.get(at) ?? 0 })),
      change: totalBefore === 0 ? null : rounded(share - (sum(earlier.get(topicId) ?? [], 'n') / totalBefore) * 100),
    }
  })
  return themes.sort((a, b) => b.n - a.n)
}

/** Counts of scored texts, and the sums of their scores and of the squares of these. */
interface Totals {
  n: number
  sum: number
  squares: number
}

function totalsOf(rows: ThemeRow[]): Totals {
  return { n: sum(rows, 'scored'), sum: sum(rows, 'score_sum'), squares: sum(rows, 'score_squares') }
}

function impactOf(own: Totals, every: Totals): number | null {
  const others = every.n - own.n
  if (own.n < FEWEST_SCORED || others < FEWEST_SCORED) return null
  return rounded(own.sum / own.n - (every.sum - own.sum) / others)
}

/** The 95 % interval of the difference of two means, by the variance of each side. */
function intervalOf(own: Totals, every: Totals): Theme['scoreImpactInterval'] {
  const others = { n: every.n - own.n, sum: every.sum - own.sum, squares: every.squares - own.squares }
  if (own.n < FEWEST_FOR_INTERVAL || others.n < FEWEST_FOR_INTERVAL) return null
  const value = own.sum / own.n - others.sum / others.n
  const half = Z_95 * Math.sqrt(errorOf(own) + errorOf(others))
  return { low: rounded(value - half), high: rounded(value + half), level: 95 }
}

/** The variance of a mean. */
function errorOf({ n, sum: total, squares }: Totals): number {
  return Math.max(0, squares - (total * total) / n) / (n - 1) / n
}

function commonest(rows: ThemeRow[]): string | null {
  const scored = [...Map.groupBy(rows, (row) => row.metric)].map(([metric, of]) => ({ metric, n: sum(of, 'scored') }))
  return scored.sort((a, b) => b.n - a.n)[0]?.metric ?? null
}

function sum(rows: ThemeRow[], member: 'n' | 'sentiment_sum' | 'scored' | 'score_sum' | 'score_squares'): number {
  return rows.reduce((total, row) => total + row[member], 0)
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
