import type { ShownWidget } from '../shown.ts'

export interface Chart {
  width: number
  height: number
  /** The option of the chart library: data only, no functions. */
  option: Record<string, unknown>
}

const ACCENT = '#4a3aff'
const PALETTE = [ACCENT, '#0f9d8a', '#d97706', '#be185d', '#0369a1', '#65a30d', '#7c3aed', '#b45309']
const INK = '#33323b'
const SIZES = { wide: { width: 640, height: 260 }, narrow: { width: 340, height: 240 } }

export type Width = keyof typeof SIZES

/** The chart of a widget. Null for those that a number or a table shows better. */
export function chartOf(widget: ShownWidget, width: Width): Chart | null {
  const { kind, points, value } = widget
  const base = {
    animation: false,
    color: PALETTE,
    textStyle: { fontFamily: 'Roboto, system-ui, sans-serif', color: INK },
  }
  if (kind === 'gauge' && typeof value === 'number')
    return { width: 320, height: 220, option: { ...base, series: [gauge(value, widget)] } }
  if (points.length === 0) return null
  if (kind === 'pie')
    return {
      ...SIZES[width],
      option: {
        ...base,
        series: [
          {
            type: 'pie',
            radius: '70%',
            data: points.map(({ label, value: share }) => ({ name: label, value: share ?? 0 })),
          },
        ],
      },
    }
  if (kind !== 'line' && kind !== 'bar' && kind !== 'funnel') return null
  return {
    ...SIZES[width],
    option: {
      ...base,
      grid: { left: 48, right: 16, top: 16, bottom: 36 },
      xAxis: { type: 'category', data: points.map(({ label }) => label.slice(0, 24)), axisLabel: { color: INK } },
      yAxis: { type: 'value', scale: kind === 'line', axisLabel: { color: INK } },
      series: [
        {
          type: kind === 'line' ? 'line' : 'bar',
          data: points.map((point) => point.value),
          connectNulls: true,
          symbolSize: 6,
          barMaxWidth: 48,
        },
      ],
    },
  }
}

function gauge(value: number, { unit }: ShownWidget) {
  const [min, max] = unit === 'score' ? [-100, 100] : [0, unit === 'percent' ? 100 : Math.max(10, value)]
  return {
    type: 'gauge',
    min,
    max,
    progress: { show: true, width: 14 },
    axisLine: { lineStyle: { width: 14 } },
    axisTick: { show: false },
    pointer: { show: false },
    detail: { fontSize: 30, offsetCenter: [0, 0], color: INK },
    data: [{ value }],
  }
}
