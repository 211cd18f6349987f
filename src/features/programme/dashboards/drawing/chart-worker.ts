import { parentPort } from 'node:worker_threads'
import { Resvg } from '@resvg/resvg-js'
import { init } from 'echarts'
import { ROBOTO } from '../../../../platform/look/fonts.ts'
import type { Chart } from './charts.ts'

export interface ChartTask {
  charts: Chart[]
  format: 'svg' | 'png'
}

function svgOf(chart: Chart): string {
  return 'svg' in chart ? chart.svg : drawn(chart)
}

function drawn({ width, height, option }: Exclude<Chart, { svg: string }>): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height })
  chart.setOption(option)
  const svg = chart.renderToSVGString()
  chart.dispose()
  // Styles for a pointer, which a picture does not need.
  return svg.replace(/<style[^<]*<!\[CDATA\[[^<]*<\/style>/g, '')
}

function pngOf(svg: string): string {
  const font = { fontFiles: [ROBOTO.normal], loadSystemFonts: false, defaultFontFamily: 'Roboto' }
  return new Resvg(svg, { font, background: '#ffffff', fitTo: { mode: 'zoom', value: 2 } })
    .render()
    .asPng()
    .toString('base64')
}

parentPort?.on('message', ({ charts, format }: ChartTask) => {
  const all = charts.map(svgOf)
  parentPort?.postMessage(format === 'svg' ? all : all.map(pngOf))
})
