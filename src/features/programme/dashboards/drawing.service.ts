import type { z } from 'zod'
import { drawCharts } from './chart-thread.ts'
import { chartOf, type Width } from './charts.ts'
import type { SharedDashboard } from './dashboards.schema.ts'
import { shownWidget, type ShownWidget } from './shown.ts'

type Shared = Pick<z.input<typeof SharedDashboard>, 'layout' | 'widgets'>

/** The widgets in the order of their places, with their charts as SVG, for a desktop and for a phone. */
export async function drawShared(shared: Shared) {
  const widgets = shownIn(shared)
  const [wide, narrow] = await Promise.all([draw(widgets, 'wide', 'svg'), draw(widgets, 'narrow', 'svg')])
  return widgets.map((widget, index) => {
    const svg = { wide: wide[index] ?? '', narrow: narrow[index] ?? '' }
    return { widget, svg: svg.wide === '' ? null : svg }
  })
}

/** The same with charts as PNG in base64. */
export async function drawPictures(shared: Shared): Promise<Array<{ widget: ShownWidget; png: string | null }>> {
  const widgets = shownIn(shared)
  const pictures = await draw(widgets, 'wide', 'png')
  return widgets.map((widget, index) => ({ widget, png: pictures[index] ?? null }))
}

/** A chart for each widget, null for those that are none. */
async function draw(widgets: ShownWidget[], width: Width, format: 'svg' | 'png'): Promise<Array<string | null>> {
  const charts = widgets.map((widget) => chartOf(widget, width))
  const drawn = await drawCharts(
    charts.filter((chart) => chart !== null),
    format,
  )
  return charts.map((chart) => (chart ? (drawn.shift() ?? null) : null))
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
