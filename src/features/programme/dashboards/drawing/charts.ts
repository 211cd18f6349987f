import { LIGHT } from '../../../../platform/look/tokens.ts'
import { pointNames, type WidgetView } from '../widget-view.ts'

/** A drawing: the option of the chart library, data only and no functions, or the drawing itself. */
export type Chart = { width: number; height: number; option: Record<string, unknown> } | { svg: string }

const PALETTE = [LIGHT.accent, '#c4601a', '#2a6ca6', '#8f8b82', '#1a6f3e', '#8a3b73', '#835400', '#55534d']
const MOST_LETTERS = 24
const MOST_SYMBOLS = 40
const LABEL = { color: LIGHT.soft, fontSize: 12 }

export interface Size {
  width: number
  height: number
}

/** The size in a mail. */
export const LETTER: Size = { width: 640, height: 260 }

interface Reader {
  language: string
  /** Such as 2026-11-25. */
  today: string
}

/** The chart of a widget. Null for those that a number or a table shows better. */
export function chartOf(widget: WidgetView, size: Size, { language, today }: Reader): Chart | null {
  const { kind, points } = widget
  const base = {
    animation: false,
    color: PALETTE,
    textStyle: { fontFamily: 'Roboto, system-ui, sans-serif', color: LIGHT.soft },
  }
  if (points.length === 0) return null
  if (kind === 'pie')
    return {
      ...size,
      option: {
        ...base,
        series: [
          {
            type: 'pie',
            radius: ['45%', '72%'],
            label: LABEL,
            itemStyle: { borderColor: LIGHT.paper, borderWidth: 2 },
            data: points.map(({ label, value: share }) => ({ name: label, value: share ?? 0 })),
          },
        ],
      },
    }
  if (kind !== 'line' && kind !== 'bar' && kind !== 'funnel') return null
  return {
    ...size,
    option: {
      ...base,
      // Half of the first name, a day with its year, stands beside the axis.
      grid: { left: 16, right: 24, top: 12, bottom: 4, containLabel: true },
      xAxis: {
        type: 'category',
        data: pointNames(points, today, language).map((name) => name.slice(0, MOST_LETTERS)),
        axisLabel: LABEL,
        axisTick: { show: false },
        axisLine: { lineStyle: { color: LIGHT.edge } },
      },
      yAxis: {
        type: 'value',
        scale: kind === 'line',
        splitNumber: 4,
        axisLabel: LABEL,
        splitLine: { lineStyle: { color: LIGHT.line } },
      },
      series: [
        ...(kind === 'line' ? ribbon(points) : []),
        {
          type: kind === 'line' ? 'line' : 'bar',
          data: points.map((point) => point.value),
          connectNulls: true,
          symbol: 'circle',
          symbolSize: 6,
          // A symbol that is not seen still takes 200 bytes of the page.
          showSymbol: points.length <= MOST_SYMBOLS,
          lineStyle: { width: 2 },
          barMaxWidth: 48,
          itemStyle: { color: LIGHT.accent, borderRadius: kind === 'line' ? 0 : [3, 3, 0, 0] },
        },
      ],
    },
  }
}

/** The interval of each figure, as a band: from nothing to its lower end, unseen, and from there to its upper end. */
function ribbon(points: WidgetView['points']) {
  if (!points.some(({ interval }) => interval)) return []
  const band = { type: 'line', stack: 'interval', stackStrategy: 'all', symbol: 'none', lineStyle: { opacity: 0 } }
  return [
    { ...band, data: points.map(({ interval }) => interval?.low ?? null) },
    {
      ...band,
      data: points.map(({ interval }) => (interval ? interval.high - interval.low : null)),
      areaStyle: { color: LIGHT.accent, opacity: 0.14 },
    },
  ]
}
