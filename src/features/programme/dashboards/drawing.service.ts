import type { z } from 'zod'
import { drawCharts } from './chart-thread.ts'
import { chartOf } from './charts.ts'
import type { SharedDashboard } from './dashboards.schema.ts'
import { shownWidget, type ShownWidget } from './shown.ts'

type Shared = Pick<z.input<typeof SharedDashboard>, 'layout' | 'widgets'>

/** The widgets in the order of their places, with their charts as SVG. */
export async function drawShared(shared: Shared): Promise<Array<{ widget: ShownWidget; svg: string | null }>> {
  return (await draw(shared, 'svg')).map(({ widget, picture }) => ({ widget, svg: picture }))
}

/** The same with charts as PNG in base64. */
export async function drawPictures(shared: Shared): Promise<Array<{ widget: ShownWidget; png: string | null }>> {
  return (await draw(shared, 'png')).map(({ widget, picture }) => ({ widget, png: picture }))
}

async function draw(shared: Shared, format: 'svg' | 'png') {
  const widgets = shownIn(shared)
  const charts = widgets.map(chartOf)
  const drawn = await drawCharts(
    charts.filter((chart) => chart !== null),
    format,
  )
  return widgets.map((widget, index) => ({ widget, picture: charts[index] ? (drawn.shift() ?? null) : null }))
}

/** The widgets from left to right and from top to bottom. */
function shownIn({ layout, widgets }: Shared): ShownWidget[] {
  return layout
    .toSorted((a, b) => a.layout.y - b.layout.y || a.layout.x - b.layout.x)
    .flatMap((widget) => {
      const data = widgets[widget.id]
      return data ? [shownWidget(widget, data)] : []
    })
}
