import { drawBars, drawPlace } from '../../charts/marks.ts'
import { drawTrend, trendPlaces } from '../../charts/trend.ts'
import { drawVolume, volumePlaces } from '../../charts/volume.ts'
import type { Schemas } from '../../api/client.ts'
import { Chart, Mark } from '../../ui/chart.tsx'
import { SaidRows } from '../figures/latest-words.tsx'
import { FEWEST, isClear, marginOf } from '../lede/figures.ts'
import { formatAxis, formatFigure, formatNumber, formatRate, formatSigned } from '../words/format.ts'
import { useWords, type Words } from '../words/words.ts'
import { useGroupName, type Unit, Funnel, Rows, Times, type Row, type Shown } from './tables.tsx'
import { populationOf } from './titles.ts'
import { Fitted } from './fitted.tsx'
import { figureIn, type Answer, type Figure } from './queries.ts'

interface Props {
  widget: Shown
  answer: Answer
  /** The end of the period, which ends the last interval too. */
  until: string
}

/** A widget's figure, drawn as its kind says. */
export function Picture({ widget, answer, until }: Props) {
  const words = useWords()
  const figure = figureIn(answer)
  if (!figure) return <Refused answer={answer} />
  const { kind } = widget
  const rows = (figure.rows ?? []) as unknown as Row[]
  const isEmpty = figure.series === undefined && rows.length === 0
  if (kind === 'number' || kind === 'gauge') return <Single widget={widget} figure={figure} />
  if (isEmpty) return <p className="faint">{words('dashboards:nothing')}</p>
  if (kind === 'verbatim') return <SaidRows rows={figure.rows as unknown as Schemas['ListedVerbatim'][]} />
  if (kind === 'funnel') return <Funnel rows={rows} />
  if (figure.series && kind === 'table') return <Times widget={widget} figure={figure} />
  if (figure.series) return <OverTime widget={widget} figure={figure} until={until} />
  if (kind === 'bar' || kind === 'pie') return <Bars widget={widget} rows={rows} unit={figure.unit} />
  return <Rows widget={widget} rows={rows} unit={figure.unit} />
}

function Refused({ answer }: { answer: Answer }) {
  const words = useWords()
  const error = answer && 'error' in answer ? answer.error : undefined
  if (error === undefined) return null
  return (
    <p className="soft">
      {error.permission === undefined
        ? words(error.code === 'not_available' ? 'dashboards:notAvailable' : 'dashboards:tooSlow')
        : words('frame:forbidden.needs', { permission: words(`frame:permissions.${error.permission}`) })}
    </p>
  )
}

function Single({ widget: { kind, title, query }, figure }: { widget: Shown; figure: Figure }) {
  const words = useWords()
  const { value = null, n, enough, unit, interval = null, previous, compared, change = null } = figure
  if (!enough || value === null)
    return (
      <p className="soft">{n === 0 ? words('dashboards:nothing') : words('figures:tooFew', { n: formatNumber(n) })}</p>
    )
  const population = populationOf(query)
  const text = formatFigure(value, unit)
  const other = (previous ?? compared)?.value ?? null
  const margin = marginOf({ n, score: value, interval })
  const range: [number, number] = unit === 'score' ? [-100, 100] : [0, 100]
  const label = interval
    ? words('figures:between', {
        score: text,
        low: formatFigure(interval.low, unit),
        high: formatFigure(interval.high, unit),
      })
    : `${title}: ${text}`
  return (
    <div className="single">
      <p className="big">
        {text}{' '}
        {margin !== null && (
          <small>
            <bdi dir="ltr">{`± ${formatNumber(margin, margin < 1 ? 1 : 0)}`}</bdi>
          </small>
        )}
      </p>
      {kind === 'gauge' && (
        <Fitted>
          {(width) => (
            <Mark
              width={width}
              label={label}
              draw={(look) =>
                drawPlace(
                  {
                    value,
                    low: interval?.low ?? null,
                    high: interval?.high ?? null,
                    was: other,
                    range,
                    line: unit === 'score' ? 0 : null,
                  },
                  look,
                )
              }
            />
          )}
        </Fitted>
      )}
      <p className="faint">
        {population !== null ? (
          <bdi>{words(`figures:${population}`, { count: n, n: formatNumber(n) })}</bdi>
        ) : (
          unit !== 'count' && <bdi>{`n ${formatNumber(n)}`}</bdi>
        )}
        {other !== null && (
          <bdi>
            {previous
              ? words('figures:before', { value: formatFigure(other, unit) })
              : words('dashboards:yearBefore', { value: formatFigure(other, unit) })}
          </bdi>
        )}
        {other !== null && interval && (
          <bdi>
            {change !== null && isClear(change)
              ? words('dashboards:clearChange', { by: formatSigned(change.value, 0) })
              : words('dashboards:noClearChange')}
          </bdi>
        )}
      </p>
    </div>
  )
}

function OverTime({ widget: { kind, title, query }, figure, until }: { widget: Shown; figure: Figure; until: string }) {
  const words = useWords()
  const { series = [], unit, previous, compared } = figure
  const shown = (value: number | null) => (value === null ? '–' : formatFigure(value, unit))
  const isLine = kind === 'line'
  const middles = series.map(({ from }, at) => (Date.parse(from) + Date.parse(series[at + 1]?.from ?? until)) / 2)
  const names = formatAxis(series.map(({ date }) => date))
  const points = series.map(({ value, enough, interval }, at) => ({
    at: middles[at] ?? 0,
    name: names[at] ?? '',
    value: enough ? value : null,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
  }))
  const before = ((previous ?? compared)?.series ?? []).flatMap(({ value, enough }, at) => {
    const place = middles[at]
    return place === undefined ? [] : [{ at: place, value: enough ? value : null }]
  })
  const [last] = points.filter(({ value }) => value !== null).slice(-1)
  const most = Math.max(
    1,
    ...points.map(({ value, high }) => high ?? value ?? 0),
    ...before.map(({ value }) => value ?? 0),
  )
  const range: [number, number] = unit === 'score' ? [-100, 100] : unit === 'percent' ? [0, 100] : [0, most]
  const label = last
    ? words('dashboards:overTime', { title, value: shown(last.value), day: last.name })
    : words('dashboards:overTimeEmpty', { title })
  const tips = series.map(({ value, enough, n }, at) => {
    const score = enough ? shown(value) : words('figures:tooFew', { n: formatNumber(n) })
    return unit === 'count' ? `${names[at]}: ${score}` : `${names[at]}: ${score}, n ${formatNumber(n)}`
  })
  const isWhole = unit === 'count'
  const format = (value: number) => formatNumber(axisValue(value, unit), 1)
  return (
    <Fitted hasHeight>
      {(width, height) => (
        <Chart
          widths={{ wide: width, narrow: width }}
          label={label}
          draw={(look) =>
            isLine
              ? drawTrend({ points, before, spans: [], range, isWhole, format }, { ...look, height })
              : drawVolume({ points, isWhole, format }, { ...look, height })
          }
          tips={{
            texts: tips,
            placesOf: (wide) => (isLine ? trendPlaces(points, wide) : volumePlaces(points.length, wide)),
          }}
          table={{
            show: words('figures:asTable'),
            head: [words('figures:from'), words(`dashboards:measures.${query.measure}`), words('dashboards:n')],
            rows: series.map(({ value, enough, n }, at) => [names[at], enough ? shown(value) : '–', formatNumber(n)]),
          }}
        />
      )}
    </Fitted>
  )
}

/** Beside a chart, milliseconds are counted as seconds and minutes as hours. */
function axisValue(value: number, unit: Unit): number {
  return unit === 'milliseconds' ? value / 1_000 : unit === 'minutes' ? value / 60 : value
}

function Bars({ widget: { kind, title, query }, rows, unit }: { widget: Shown; rows: Row[]; unit: Unit }) {
  const words = useWords()
  const nameOf = useGroupName(query.by)
  const all = rows.reduce((sum, { value }) => sum + Math.max(0, value ?? 0), 0)
  const most = Math.max(1, ...rows.map(({ value }) => Math.abs(value ?? 0)))
  const bars = rows.map((row) => {
    const value = row.value ?? 0
    const isShare = kind === 'pie'
    const share = all === 0 ? 0 : (100 * Math.max(0, value)) / all
    return {
      name: nameOf(row),
      share: isShare ? share : (100 * Math.abs(value)) / most,
      text: row.value === null ? '–' : isShare ? formatRate(Math.round(share)) : formatFigure(value, unit),
      count: unit === 'count' && !isShare ? '' : `n ${formatNumber(row.n)}`,
    }
  })
  const label = labelOf(
    title,
    bars.map(({ name, text }) => `${name} ${text}`),
  )
  return (
    <Fitted>
      {(width) => (
        <>
          <Mark width={width} label={label} draw={(look) => drawBars(bars, look)} />
          <FewestNote rows={rows} unit={unit} words={words} />
        </>
      )}
    </Fitted>
  )
}

function FewestNote({ rows, unit, words }: { rows: Row[]; unit: Unit; words: Words }) {
  if (unit === 'count' || rows.every(({ value }) => value !== null)) return null
  return <p className="faint">{words('dashboards:fewest', { n: FEWEST })}</p>
}

function labelOf(title: string, parts: string[]): string {
  return `${title}: ${parts.join(', ')}`
}
