import { isClear, marginOf, type Change, type Metric, type Scored } from './figures.ts'

/** A score now, and the score beside it: of the period before, or of another group. */
export interface Pair {
  now: Scored
  before: Scored
  change: Change | null
}

/** The share of a group in the change of a whole score. */
export interface Part {
  /** In the unit of the change of the whole. Those of all groups of a dimension add up to it. */
  amount: number
  /** How much of it is more than its size alone explains. Those of all groups add up to zero. */
  beyond: number
  /** The standard error of `beyond`. */
  error: number
  /** How far `beyond` can be from the truth, because a side has too few answers to show its score. */
  unknown: number
}

const Z_95 = 1.96
const WIDTHS: Record<Metric, number> = { nps: 200, csat: 100, ces: 100 }

/**
 * How much a group adds to the change of the whole: its share of the answers times its distance from the middle of both
 * scores, now less before. A group that only grows, with the score of all, adds nothing.
 *
 * A group without a score, because it has too few answers, counts like the whole. Null where the whole has none.
 */
export function partOf(metric: Metric, group: Omit<Pair, 'change'>, whole: Omit<Pair, 'change'>): Part | null {
  const [now, before] = [scoreOf(whole.now), scoreOf(whole.before)]
  if (now === null || before === null) return null
  const middle = (now + before) / 2
  const moved = (of: (side: 'now' | 'before') => number) => of('now') - of('before')
  const share = (side: 'now' | 'before') => group[side].n / whole[side].n
  const score = (side: 'now' | 'before') => scoreOf(group[side]) ?? (side === 'now' ? now : before)
  const amount = moved((side) => share(side) * (score(side) - middle))
  const beyond = moved((side) => share(side) * (score(side) - (side === 'now' ? now : before)))
  const variance = pullVariance(metric, group.now, whole.now) + pullVariance(metric, group.before, whole.before)
  const hidden = unknownShare(group.now, whole.now) + unknownShare(group.before, whole.before)
  return { amount, beyond, error: Math.sqrt(variance), unknown: WIDTHS[metric] * hidden }
}

/** Groups in the order in which they explain a change: beyond their size, and in its direction. */
export function inOrder<Row extends { part: Part }>(rows: Row[], change: Change | null): Row[] {
  const weight = ({ part }: Row) => (isClear(change) ? part.beyond * Math.sign(change.value) : Math.abs(part.beyond))
  return rows.toSorted((a, b) => weight(b) - weight(a))
}

/**
 * The group that explains most of a clear change, and whether that is half of it. Null if none does by more than
 * chance. The most striking one of many groups is looked at, so that all of them share the 5 % of a wrong name.
 */
export function largestOf<Row extends { part: Part }>(
  rows: Row[],
  change: Change | null,
): { row: Row; isMost: boolean } | null {
  if (!isClear(change)) return null
  const z = quantileOf(0.05 / rows.length)
  const isSame = ({ part }: Row) =>
    Math.abs(part.beyond) > z * part.error + part.unknown &&
    Math.sign(part.beyond) === Math.sign(change.value) &&
    part.amount * change.value > 0
  const row = inOrder(rows, change).find(isSame)
  return row ? { row, isMost: row.part.amount / change.value >= 0.5 } : null
}

/** The normal quantile of both tails together (Abramowitz and Stegun, 26.2.23). */
function quantileOf(tails: number): number {
  const t = Math.sqrt(-2 * Math.log(tails / 2))
  const [above, below] = [2.515517 + t * (0.802853 + t * 0.010328), 1 + t * (1.432788 + t * (0.189269 + t * 0.001308))]
  return t - above / below
}

function scoreOf({ n, score }: Scored): number | null {
  return n === 0 ? null : score
}

/** The part of the answers whose score is not shown. */
function unknownShare(group: Scored, whole: Scored): number {
  return group.score === null ? group.n / whole.n : 0
}

/** Of a share times the distance of its score from the whole's: (1 of the group − share) × (answer − whole), over n. */
function pullVariance(metric: Metric, group: Scored, whole: Scored): number {
  const all = scoreOf(whole)
  const own = scoreOf(group)
  if (all === null || own === null) return 0
  const share = group.n / whole.n
  const spread = varianceOf(metric, group) + (own - all) ** 2
  const rest = Math.max(0, varianceOf(metric, whole) - share * spread)
  const pull = share * (own - all)
  return Math.max(0, share * (1 - share) ** 2 * spread + share ** 2 * rest - pull ** 2) / whole.n
}

/** Of single answers, in points: of the shares of the top boxes, and of −100, 0 and 100. */
function varianceOf(metric: Metric, scored: Scored): number {
  if (metric !== 'nps') return (scored.score ?? 0) * (100 - (scored.score ?? 0))
  const margin = marginOf(scored)
  return margin === null ? 0 : scored.n * (margin / Z_95) ** 2
}
