import type { z } from 'zod'
import { Problem } from '../../../../http/problems/problem.ts'
import type { Caches } from '../../../../platform/config/caches.ts'
import { WorkFailedError } from '../../../../platform/loop/work-thread.ts'
import { drawCharts, drawPngs } from './chart-thread.ts'
import { chartOf, LETTER, type Chart, type Size } from './charts.ts'
import { COLUMNS, contentWidth, spansOf } from '../shares/shared-grid.ts'
import type { SharedDashboard } from '../dashboards.schema.ts'
import { shownWidget, type ShownWidget } from '../shown.ts'

type Shared = Pick<z.input<typeof SharedDashboard>, 'layout' | 'widgets'>

const RETRY_SECONDS = 5

/**
 * The widgets in the order of their places, with the columns that each spans, and their charts as SVG, for a desktop and
 * for a phone.
 * @param of the workspace.
 * @throws Problem 503 if too many others wait for theirs.
 */
export async function drawShared(of: string, caches: Caches, shared: Shared, language: string) {
  const placed = placedIn(shared)
  const spans = spansOf(placed.map(({ width }) => width))
  const drawn = (charts: Chart[]) => drawCharts(of, caches, charts)
  // A page shows a gauge as a figure on its scale.
  const chart = (widget: ShownWidget, size: Size) => (widget.kind === 'gauge' ? null : chartOf(widget, size, language))
  const wideSize = (span: number) => ({ width: contentWidth(span), height: span === COLUMNS ? 300 : 260 })
  const [wide, narrow] = await Promise.all([
    draw(
      placed.map(({ widget }, index) => chart(widget, wideSize(spans[index] ?? COLUMNS))),
      drawn,
    ),
    draw(
      placed.map(({ widget }) => chart(widget, NARROW)),
      drawn,
    ),
  ]).catch((error: unknown) => {
    if (!(error instanceof WorkFailedError) || error.reason !== 'busy') throw error
    throw new Problem(503, 'busy', {
      detail: 'This server is busy with other dashboards. Try again in a moment.',
      retryAfter: RETRY_SECONDS,
    })
  })
  return placed.map(({ widget }, index) => {
    const svg = { wide: wide[index] ?? '', narrow: narrow[index] ?? '' }
    return { widget, span: spans[index] ?? COLUMNS, svg: svg.wide === '' ? null : svg }
  })
}

const NARROW: Size = { width: 320, height: 240 }

/** The same with charts as PNG in base64. */
export async function drawPictures(
  of: string,
  shared: Shared,
): Promise<Array<{ widget: ShownWidget; png: string | null }>> {
  const placed = placedIn(shared)
  const pictures = await draw(
    placed.map(({ widget }) => chartOf(widget, LETTER)),
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

/** The widgets from left to right and from top to bottom, and the width that each asks for. */
function placedIn({ layout, widgets }: Shared): Array<{ widget: ShownWidget; width: number }> {
  return layout
    .toSorted((a, b) => a.layout.y - b.layout.y || a.layout.x - b.layout.x)
    .flatMap((widget) => {
      const data = widgets[widget.id]
      return data ? [{ widget: shownWidget(widget, data), width: widget.layout.w }] : []
    })
}
