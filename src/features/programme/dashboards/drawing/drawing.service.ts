import type { z } from 'zod'
import { Problem } from '../../../../http/problems/problem.ts'
import type { Caches } from '../../../../platform/config/caches.ts'
import { WorkFailedError } from '../../../../platform/loop/work-thread.ts'
import { drawCharts, drawPngs } from './chart-thread.ts'
import { chartOf, type Chart, type Width } from './charts.ts'
import type { SharedDashboard } from '../dashboards.schema.ts'
import { shownWidget, type ShownWidget } from '../shown.ts'

type Shared = Pick<z.input<typeof SharedDashboard>, 'layout' | 'widgets'>

const RETRY_SECONDS = 5

/**
 * The widgets in the order of their places, with their charts as SVG, for a desktop and for a phone.
 * @throws Problem 503 if too many others wait for theirs.
 */
export async function drawShared(caches: Caches, shared: Shared) {
  const widgets = shownIn(shared)
  const drawn = (charts: Chart[]) => drawCharts(caches, charts)
  const [wide, narrow] = await Promise.all([draw(widgets, 'wide', drawn), draw(widgets, 'narrow', drawn)]).catch(
    (error: unknown) => {
      if (!(error instanceof WorkFailedError) || error.reason !== 'busy') throw error
      throw new Problem(503, 'busy', {
        detail: 'This server is busy with other dashboards. Try again in a moment.',
        retryAfter: RETRY_SECONDS,
      })
    },
  )
  return widgets.map((widget, index) => {
    const svg = { wide: wide[index] ?? '', narrow: narrow[index] ?? '' }
    return { widget, svg: svg.wide === '' ? null : svg }
  })
}

/** The same with charts as PNG in base64. */
export async function drawPictures(shared: Shared): Promise<Array<{ widget: ShownWidget; png: string | null }>> {
  const widgets = shownIn(shared)
  const pictures = await draw(widgets, 'wide', drawPngs)
  return widgets.map((widget, index) => ({ widget, png: pictures[index] ?? null }))
}

/** A chart for each widget, null for those that are none. */
async function draw(
  widgets: ShownWidget[],
  width: Width,
  drawAll: (charts: Chart[]) => Promise<string[]>,
): Promise<Array<string | null>> {
  const charts = widgets.map((widget) => chartOf(widget, width))
  const drawn = (await drawAll(charts.filter((chart) => chart !== null))).values()
  return charts.map((chart) => (chart ? (drawn.next().value ?? null) : null))
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
