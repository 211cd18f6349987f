import type { Metric } from '../../../../survey-engine/model/definition.ts'
import { scoresIn } from '../../../../survey-engine/types/families/scored.ts'
import { scaleOf } from '../../../../survey-engine/types/registry.ts'

export const METRICS: readonly Metric[] = ['nps', 'csat', 'ces']

/** Every score of a metric's scale, lowest first. A trend keeps its counts in this order. */
export function scoresOf(metric: Metric): number[] {
  return scoresIn(scaleOf({ id: '', type: metric, title: '' }) ?? { min: 0, max: -1 })
}
