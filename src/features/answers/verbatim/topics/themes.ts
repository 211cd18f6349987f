import type { ThemeRow } from '../verbatim-rows.ts'

const FEWEST = 5
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
export function themesOf(now: ThemeRow[], before: ThemeRow[]): Theme[] {
  const all = now.filter((row) => row.topic_id === null)
  const total = sum(all, 'n')
  const totalBefore = sum(
    before.filter((row) => row.topic_id === null),
    'n',
  )
  const metric = commonest(all)
  const steps = [...new Set(all.map((row) => row.at.toISOString()))].sort()
  const topics = Map.groupBy(now, (row) => row.topic_id)
  return [...topics]
    .flatMap(([topicId, rows]) => {
      if (topicId === null) return []
      const n = sum(rows, 'n')
      const share = total === 0 ? 0 : (n / total) * 100
      const earlier = sum(
        before.filter((row) => row.topic_id === topicId),
        'n',
      )
      const [own, every] = [rows, all].map((some) => some.filter((row) => row.metric === metric)) as [
        ThemeRow[],
        ThemeRow[],
      ]
      return [
        {
          topicId,
          n,
          share: rounded(share),
          sentiment: n === 0 ? null : rounded(sum(rows, 'sentiment_sum') / n),
          scoreImpact: impactOf(own, every),
          scoreImpactInterval: intervalOf(own, every),
          trend: steps.map((at) => ({
            at,
            n: sum(
              rows.filter((row) => row.at.toISOString() === at),
              'n',
            ),
          })),
          change: totalBefore === 0 ? null : rounded(share - (earlier / totalBefore) * 100),
        },
      ]
    })
    .sort((a, b) => b.n - a.n)
}

function impactOf(rows: ThemeRow[], all: ThemeRow[]): number | null {
  const [n, others] = [sum(rows, 'scored'), sum(all, 'scored') - sum(rows, 'scored')]
  if (n < FEWEST || others < FEWEST) return null
  const own = sum(rows, 'score_sum')
  return rounded(own / n - (sum(all, 'score_sum') - own) / others)
}

/** The 95 % interval of the difference of two means, by the variance of each side. */
function intervalOf(rows: ThemeRow[], all: ThemeRow[]): Theme['scoreImpactInterval'] {
  const own = momentsOf(rows)
  const every = momentsOf(all)
  const others = { n: every.n - own.n, sum: every.sum - own.sum, squares: every.squares - own.squares }
  if (own.n < FEWEST_FOR_INTERVAL || others.n < FEWEST_FOR_INTERVAL) return null
  const value = own.sum / own.n - others.sum / others.n
  const half = Z_95 * Math.sqrt(errorOf(own) + errorOf(others))
  return { low: rounded(value - half), high: rounded(value + half), level: 95 }
}

interface Moments {
  n: number
  sum: number
  squares: number
}

function momentsOf(rows: ThemeRow[]): Moments {
  return { n: sum(rows, 'scored'), sum: sum(rows, 'score_sum'), squares: sum(rows, 'score_squares') }
}

/** The variance of a mean. */
function errorOf({ n, sum: total, squares }: Moments): number {
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
