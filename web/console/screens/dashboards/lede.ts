import { resultsLede } from '../../lede/results.ts'
import type { Metric, Sentence } from '../../lede/figures.ts'
import { figureIn, type Answer, type Widget } from '../../boards/queries.ts'
import { METRICS } from '../../../../src/survey-engine/model/definition.ts'

/** The sentence of a dashboard: its first score of all surveys. Null without one. */
export function dashboardLede(widgets: Widget[], answers: Record<string, Answer>): Sentence[] | null {
  for (const { id, kind, query } of widgets) {
    const { measure, by, interval, survey_ids: surveys, filter, period, compare } = query
    const isWhole = !by?.length && interval === undefined && !surveys?.length && !filter && !period
    const figure = figureIn(answers[id])
    const isNumber = kind === 'number' || kind === 'gauge'
    if (!METRICS.some((metric) => metric === measure) || !isNumber || !isWhole || !figure) continue
    const { n, value = null, interval: doubt = null, previous, change = null } = figure
    const told = resultsLede({
      metric: measure as Metric,
      isFiltered: false,
      began: n,
      completed: n,
      now: { n, score: value, interval: doubt },
      before: { n: previous?.n ?? 0, score: previous?.value ?? null, interval: previous?.interval ?? null, change },
      beside: null,
      stopped: [],
      topics: [],
    }).lede
    return compare === 'previous' ? told : told.slice(0, 1)
  }
  return null
}
