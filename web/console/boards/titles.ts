import { KINDS, measuresOf, sourcesOf, type Dashboard, type Query, type Widget } from './queries.ts'
import { METRICS } from '../../../src/survey-engine/model/definition.ts'

type Words = (key: string) => string

/**
 * The title that goes with a change of a widget: the name of its measure, until somebody writes another one.
 *
 * @param part the members that change
 */
export function proposedTitle(widget: Widget, part: Partial<Widget>, words: Words): { title?: string } {
  if ('title' in part || !isProposed(widget.title, words)) return {}
  const next = { ...widget, ...part }
  const asks = ({ source, measure }: Query) => `${source} ${measure}`
  const isNamedByKind = widget.title === words(`dashboards:kinds.${widget.kind}`)
  if (next.kind !== widget.kind && isNamedByKind) return { title: words(`dashboards:kinds.${next.kind}`) }
  return asks(next.query) === asks(widget.query) ? {} : { title: nameOf(next.query, words) }
}

/** A number of rows has the name of its rows. */
function nameOf({ source, measure }: Query, words: Words): string {
  return words(measure === 'count' ? `dashboards:sources.${source}` : `dashboards:measures.${measure}`)
}

function isProposed(title: string, words: Words): boolean {
  return KINDS.some(
    (kind) =>
      title === words(`dashboards:kinds.${kind}`) ||
      sourcesOf(kind).some((source) =>
        measuresOf(kind, source).some((measure) => title === nameOf({ source, measure }, words)),
      ),
  )
}

// The titles that the server gives the first dashboard, in its one language, by their words.
const BEGUN: Record<string, string> = {
  'Net Promoter Score': 'nps',
  'Net Promoter Score by week': 'weeks',
  Responses: 'responses',
  'Responses by day': 'days',
  'Completion rate': 'completion',
  'Response rate': 'rate',
  'Open alerts': 'alerts',
  'Latest comments': 'comments',
}

/** A widget with its title in the language of the reader, if nobody has written another. */
export function inWords<Titled extends Pick<Widget, 'title'>>(widget: Titled, words: Words): Titled {
  const key = BEGUN[widget.title]
  return key === undefined ? widget : { ...widget, title: words(`dashboards:begun.${key}`) }
}

/** The name of a dashboard, which for the first one is in the language of the reader until somebody writes another. */
export function nameInWords({ built_in, name }: Pick<Dashboard, 'built_in' | 'name'>, words: Words): string {
  return built_in && name === 'Overview' ? words('dashboards:begun.overview') : name
}

/** Which rows a figure counts: complete answers, or all that began. Null where the question does not arise. */
export function populationOf({
  source,
  measure,
  filter,
}: Pick<Widget['query'], 'source' | 'measure'> & { filter?: unknown }) {
  if (source !== 'responses') return null
  if (SCORES.includes(measure)) return 'ofComplete'
  if (measure === 'completion_rate') return 'ofBegun'
  if (measure !== 'count') return null
  return JSON.stringify(filter ?? null).includes(COMPLETED) ? 'onlyComplete' : 'allBegan'
}

const SCORES: readonly string[] = [...METRICS, 'score']
const COMPLETED = JSON.stringify({ field: 'state', op: 'eq', value: 'completed' })
