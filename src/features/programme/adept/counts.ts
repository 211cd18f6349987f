export interface CountRow {
  metric: string | null
  n: number
  /** Promoters, satisfied, or easy. */
  good: number
  bad: number
  score_sum: number
}
