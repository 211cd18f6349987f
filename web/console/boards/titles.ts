import { KINDS, measuresOf, sourcesOf, type Query, type Widget } from './queries.ts'

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
