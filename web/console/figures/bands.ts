import { BANDS, type Band, type Metric } from '../../../src/survey-engine/model/definition.ts'
import type { Level } from '../../charts/marks.ts'

const LEVELS = ['high', 'mid', 'low'] as const satisfies Level[]

/** The bands of a metric with their levels, the worst first. */
export function bandsOf(metric: Metric): Array<[Level, Band]> {
  return BANDS[metric].map((band, at): [Level, Band] => [LEVELS[at] ?? 'low', band]).toReversed()
}
