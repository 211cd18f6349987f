import type { Metric } from '../../../survey-engine/model/definition.ts'
import { scaleOf } from '../../../survey-engine/model/questions.ts'

export const METRICS: readonly Metric[] = ['nps', 'csat', 'ces']

/** Every score of a metric's scale, lowest first: the order in which a trend keeps how often each was given. */
export function scoresOf(metric: Metric): number[] {
  const { min, max } = scaleOf({ id: '', type: metric, title: '' }) ?? { min: 0, max: -1 }
  return Array.from({ length: max - min + 1 }, (_, index) => min + index)
}
