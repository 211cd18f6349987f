import type { z } from 'zod'
import { drawCharts } from './chart-thread.ts'
import { chartOf } from './charts.ts'
import type { SharedDashboard } from './dashboards.schema.ts'
import { shownWidget, type ShownWidget } from './shown.ts'

type Shared = Pick<z.input<typeof SharedDashboard>, 'layout' | 'widgets'>

/** The widgets in the order of their places, with their charts as SVG. */
export async function drawShared(shared: Shared): Promise<Array<{ widget: ShownWidget; svg: string | null }>> {
  const widgets = shownIn(shared)
  const charts = widgets.map(chartOf)
  const drawn = await drawCharts(
    charts.filter((chart) => chart !== null),
    'svg',
  )
  return widgets.map((widget, index) => ({ widget, svg: charts[index] ? (drawn.shift() ?? null) : null }))
}

/** The widgets from left to right and from top to bottom. */
export function shownIn({ layout, widgets }: Shared): ShownWidget[] {
  return layout
    .toSorted((a, b) => a.layout.y - b.layout.y || a.layout.x - b.layout.x)
    .flatMap((widget) => {
      const data = widgets[widget.id]
      return data ? [shownWidget(widget, data)] : []
    })
}
