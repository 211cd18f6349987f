import type { BuiltInWidget } from '../../../platform/fields/parts.ts'
import type { Filter } from '../../../platform/filter/grammar.ts'
import type { Period, Query, Widget } from './query.ts'

interface Content {
  name: string
  period: Period
  timezone: string
  filter: Filter
  widgets: Widget[]
}

const OWN: Content = {
  name: 'Overview',
  period: { days: 30 },
  timezone: 'UTC',
  filter: { all: [] },
  widgets: [
    widget('nps', 'gauge', 'Net Promoter Score', [0, 0, 4, 3], {
      source: 'responses',
      measure: 'nps',
      compare: 'previous',
    }),
    widget('responses', 'number', 'Responses', [4, 0, 4, 3], {
      source: 'responses',
      measure: 'count',
      compare: 'previous',
    }),
    widget('completion', 'number', 'Completion rate', [8, 0, 4, 3], {
      source: 'responses',
      measure: 'completion_rate',
      compare: 'previous',
    }),
    widget('trend', 'line', 'Net Promoter Score by week', [0, 3, 8, 4], {
      source: 'responses',
      measure: 'nps',
      interval: 'week',
    }),
    widget('alerts', 'number', 'Open alerts', [8, 3, 4, 4], { source: 'alerts', measure: 'open_alerts' }),
    widget('volume', 'bar', 'Responses by day', [0, 7, 8, 4], {
      source: 'responses',
      measure: 'count',
      interval: 'day',
    }),
    widget('response-rate', 'number', 'Response rate', [8, 7, 4, 4], { source: 'sends', measure: 'response_rate' }),
  ],
}

/** The dashboard that every workspace begins with. The widgets that features add are below the others. */
export function beginning(added: Array<[kind: string, widget: BuiltInWidget]>): Content {
  const widgets = [...OWN.widgets]
  for (const [kind, { title, w, h, limit }] of added) {
    const below = Math.max(...widgets.map(({ layout }) => layout.y + layout.h))
    widgets.push(widget(kind, kind, title, [0, below, w, h], { source: 'responses', measure: 'count', limit }))
  }
  return { ...OWN, widgets }
}

function widget(
  id: string,
  kind: Widget['kind'],
  title: string,
  [x, y, w, h]: [number, number, number, number],
  query: Query,
): Widget {
  return { id, kind, title, query, layout: { x, y, w, h } }
}
