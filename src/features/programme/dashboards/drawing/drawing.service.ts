import type { z } from 'zod'
import { Problem } from '../../../../http/problems/problem.ts'
import type { Caches } from '../../../../platform/config/caches.ts'
import { mapInSlices } from '../../../../platform/loop/turns.ts'
import { WorkFailedError } from '../../../../platform/loop/work-thread.ts'
import { drawCharts, drawPngs } from './chart-thread.ts'
import { chartOf, LETTER, type Chart, type Size } from './charts.ts'
import { gaugeOf } from './gauge.ts'
import { settled, type Box, contentSize } from '../grid.ts'
import type { SharedDashboard } from '../dashboards.schema.ts'
import { widgetView, type WidgetView } from '../widget-view.ts'

type Shared = Pick<z.input<typeof SharedDashboard>, 'layout' | 'widgets'>

const RETRY_SECONDS = 5

/**
 * The widgets in the order of their places, with these places and their charts as SVG, for a desktop and for a phone.
 * @param of the workspace.
 * @param reader their language, and the day in the zone of the dashboard.
 * @throws Problem 503 if too many others wait for theirs.
 */
export async function drawShared(
  of: string,
  caches: Caches,
  shared: Shared,
  reader: { language: string; today: string },
): Promise<Array<{ widget: WidgetView; box: Box; svg: { wide: string; narrow: string } | null }>> {
  const placed = await placedIn(shared)
  const inSize = async (sizeOf: (box: Box) => Size) =>
    draw(await mapInSlices(placed, ({ widget, box }) => chartOf(widget, sizeOf(box), reader)), (charts) =>
      drawCharts(of, caches, charts),
    )
  const [wide, narrow] = await Promise.all([inSize(contentSize), inSize(() => NARROW)]).catch((error: unknown) => {
    if (!(error instanceof WorkFailedError) || error.reason !== 'busy') throw error
    throw new Problem(503, 'busy', {
      detail: 'This server is busy with other dashboards. Try again in a moment.',
      retryAfter: RETRY_SECONDS,
    })
  })
  return placed.map(({ widget, box }, index) => {
    const svg = { wide: wide[index] ?? '', narrow: narrow[index] ?? '' }
    return { widget, box, svg: svg.wide === '' ? null : svg }
  })
}

const NARROW: Size = { width: 320, height: 240 }

/** The same for a letter, with charts and the scales of gauges as PNG in base64. */
export async function drawPictures(
  of: string,
  shared: Shared,
  reader: { language: string; today: string },
): Promise<Array<{ widget: WidgetView; png: string | null }>> {
  const placed = await placedIn(shared)
  const pictures = await draw(
    await mapInSlices(placed, ({ widget }) =>
      widget.kind === 'gauge' ? gaugeOf(widget, reader.language) : chartOf(widget, LETTER, reader),
    ),
    (charts) => drawPngs(of, charts),
  )
  return placed.map(({ widget }, index) => ({ widget, png: pictures[index] ?? null }))
}

/** Each chart as it is drawn, null for those that are none. */
async function draw(
  charts: Array<Chart | null>,
  drawAll: (charts: Chart[]) => Promise<string[]>,
): Promise<Array<string | null>> {
  const drawn = (await drawAll(charts.filter((chart) => chart !== null))).values()
  return charts.map((chart) => (chart ? (drawn.next().value ?? null) : null))
}

/** The widgets from left to right and from top to bottom, in their places. */
async function placedIn({ layout, widgets }: Shared): Promise<Array<{ widget: WidgetView; box: Box }>> {
  const known = await mapInSlices(layout, (widget) => {
    const data = widgets[widget.id]
    return data ? [[widget.id, widgetView(widget, data)] as const] : []
  })
  const shown = new Map(known.flat())
  const boxes = settled(layout.filter(({ id }) => shown.has(id)).map((widget) => ({ id: widget.id, ...widget.layout })))
  return boxes.flatMap((box) => {
    const widget = shown.get(box.id)
    return widget ? [{ widget, box }] : []
  })
}
