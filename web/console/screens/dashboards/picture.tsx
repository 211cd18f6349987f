import { useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { drawBars, drawPlace, drawSparkline, drawStep } from '../../../charts/marks.ts'
import { drawTrend, trendPlaces } from '../../../charts/trend.ts'
import { drawVolume, volumePlaces } from '../../../charts/volume.ts'
import type { Schemas } from '../../../api/client.ts'
import { Chart, Mark } from '../../../ui/chart.tsx'
import { SaidRows } from '../../figures/latest-words.tsx'
import { FEWEST, isClear, marginOf } from '../../lede/figures.ts'
import { formatDay, formatNumber, formatRate, formatSigned } from '../../words/format.ts'
import { useWords, type Words } from '../../words/words.ts'
import { useGroupName, valueText, type Unit } from './values.ts'
import { figureIn, type Answer, type Figure, type Widget } from './queries.ts'

/** A group of a figure. */
interface Row {
  key: string
  label: string
  n: number
  value: number | null
  interval?: { low: number; high: number }
  series?: NonNullable<Figure['series']>
  previous?: { value?: number | null }
  position?: number
  tied_with_next?: boolean
}

interface Props {
  widget: Pick<Widget, 'kind' | 'title' | 'query'>
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
        ? words('dashboards:tooSlow')
        : words('frame:forbidden.needs', { permission: words(`frame:permissions.${error.permission}`) })}
    </p>
  )
}

function Single({ widget: { kind, title }, figure }: { widget: Props['widget']; figure: Figure }) {
  const words = useWords()
  const { value = null, n, enough, unit, interval = null, previous, compared, change = null } = figure
  if (!enough || value === null)
    return (
      <p className="soft">{n === 0 ? words('dashboards:nothing') : words('figures:tooFew', { n: formatNumber(n) })}</p>
    )
  const text = valueText(value, unit)
  const other = (previous ?? compared)?.value ?? null
  const margin = marginOf({ n, score: value, interval })
  const range: [number, number] = unit === 'score' ? [-100, 100] : [0, 100]
  const label = interval
    ? words('figures:between', {
        score: text,
        low: valueText(interval.low, unit),
        high: valueText(interval.high, unit),
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
        {unit !== 'count' && <bdi>{`n ${formatNumber(n)}`}</bdi>}
        {other !== null && (
          <bdi>
            {previous
              ? words('figures:before', { value: valueText(other, unit) })
              : words('dashboards:yearBefore', { value: valueText(other, unit) })}
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

function OverTime({
  widget: { kind, title, query },
  figure,
  until,
}: {
  widget: Props['widget']
  figure: Figure
  until: string
}) {
  const words = useWords()
  const { series = [], unit, previous, compared } = figure
  const shown = (value: number | null) => (value === null ? '–' : valueText(value, unit))
  const isLine = kind === 'line'
  const middles = series.map(({ from }, at) => (Date.parse(from) + Date.parse(series[at + 1]?.from ?? until)) / 2)
  const points = series.map(({ from, value, enough, interval }, at) => ({
    at: middles[at] ?? 0,
    name: formatDay(from),
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
  const tips = series.map(({ from, value, enough, n }) => {
    const score = enough ? shown(value) : words('figures:tooFew', { n: formatNumber(n) })
    return unit === 'count' ? `${formatDay(from)}: ${score}` : `${formatDay(from)}: ${score}, n ${formatNumber(n)}`
  })
  const format = (value: number) => formatNumber(axisValue(value, unit), 1)
  return (
    <Fitted hasHeight>
      {(width, height) => (
        <Chart
          widths={{ wide: width, narrow: width }}
          label={label}
          draw={(look) =>
            isLine
              ? drawTrend({ points, before, spans: [], range, format }, { ...look, height })
              : drawVolume({ points, format }, { ...look, height })
          }
          tips={{
            texts: tips,
            placesOf: (wide) => (isLine ? trendPlaces(points, wide) : volumePlaces(points.length, wide)),
          }}
          table={{
            show: words('figures:asTable'),
            head: [words('figures:from'), words(`dashboards:measures.${query.measure}`), words('dashboards:n')],
            rows: series.map(({ from, value, enough, n }) => [
              formatDay(from),
              enough ? shown(value) : '–',
              formatNumber(n),
            ]),
          }}
        />
      )}
    </Fitted>
  )
}

/** Milliseconds and minutes are counted in seconds and hours beside a chart. */
function axisValue(value: number, unit: Unit): number {
  return unit === 'milliseconds' ? value / 1_000 : value
}

function Bars({ widget: { kind, title, query }, rows, unit }: { widget: Props['widget']; rows: Row[]; unit: Unit }) {
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
      text: row.value === null ? '–' : isShare ? formatRate(Math.round(share)) : valueText(value, unit),
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

function Rows({ widget: { kind, title, query }, rows, unit }: { widget: Props['widget']; rows: Row[]; unit: Unit }) {
  const words = useWords()
  const nameOf = useGroupName(kind === 'leaderboard' ? ['agent'] : query.by)
  const isRanked = kind === 'leaderboard'
  const scored = rows.flatMap(({ value, interval }) =>
    value === null ? [] : [interval?.low ?? value, interval?.high ?? value],
  )
  const hasDoubt = rows.some(({ interval }) => interval)
  const range: [number, number] = [Math.min(...scored), Math.max(...scored)]
  const hasSeries = rows.some(({ series }) => series)
  const hasBefore = rows.some(({ previous }) => previous)
  return (
    <table className="table flush keep" aria-label={title}>
      <thead>
        <tr>
          <th>{words(isRanked ? 'dashboards:agent' : 'dashboards:group')}</th>
          <th className="end">{words(`dashboards:measures.${query.measure}`)}</th>
          {hasDoubt && <th className="only-wide">{words('figures:interval')}</th>}
          {hasSeries && <th className="only-wide">{words('dashboards:course')}</th>}
          {hasBefore && <th className="end only-wide">{words('dashboards:previous')}</th>}
          {unit !== 'count' && <th className="end">{words('dashboards:n')}</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            <td>
              {row.position !== undefined && <span className="faint figure">{`${formatNumber(row.position)} `}</span>}
              <bdi>{nameOf(row)}</bdi>
              {isRanked && isTied(rows, row) && <span className="faint"> {words('dashboards:tied')}</span>}
            </td>
            <td className="end figure strong">{row.value === null ? '–' : valueText(row.value, unit)}</td>
            {hasDoubt && (
              <td className="only-wide" style={{ width: 140 }}>
                {row.value !== null && row.interval && (
                  <Mark
                    width={130}
                    label={words('figures:between', {
                      score: valueText(row.value, unit),
                      low: valueText(row.interval.low, unit),
                      high: valueText(row.interval.high, unit),
                    })}
                    draw={(look) =>
                      drawPlace(
                        {
                          value: row.value ?? 0,
                          low: row.interval?.low ?? null,
                          high: row.interval?.high ?? null,
                          was: null,
                          range,
                          line: null,
                        },
                        look,
                      )
                    }
                  />
                )}
              </td>
            )}
            {hasSeries && (
              <td className="only-wide" style={{ width: 100 }}>
                <Mark
                  width={84}
                  label={(row.series ?? [])
                    .map(({ value }) => (value === null ? '–' : valueText(value, unit)))
                    .join(', ')}
                  draw={(look) =>
                    drawSparkline(
                      (row.series ?? []).map(({ value }) => Math.max(0, value ?? 0)),
                      look,
                    )
                  }
                />
              </td>
            )}
            {hasBefore && (
              <td className="end figure only-wide faint">
                {row.previous?.value == null ? '–' : valueText(row.previous.value, unit)}
              </td>
            )}
            {unit !== 'count' && <td className="end figure">{formatNumber(row.n)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Whether another row has the same place. */
function isTied(rows: Row[], { position }: Row): boolean {
  return rows.filter((row) => row.position === position).length > 1
}

function Times({
  widget: { title, query },
  figure: { series = [], unit },
}: {
  widget: Props['widget']
  figure: Figure
}) {
  const words = useWords()
  return (
    <table className="table flush keep" aria-label={title}>
      <thead>
        <tr>
          <th>{words('figures:from')}</th>
          <th className="end">{words(`dashboards:measures.${query.measure}`)}</th>
          {unit !== 'count' && <th className="end">{words('dashboards:n')}</th>}
        </tr>
      </thead>
      <tbody>
        {series.toReversed().map(({ from, value, enough, n }) => (
          <tr key={from}>
            <td>{formatDay(from)}</td>
            <td className="end figure strong">{enough && value !== null ? valueText(value, unit) : '–'}</td>
            {unit !== 'count' && <td className="end figure">{formatNumber(n)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Funnel({ rows }: { rows: Row[] }) {
  const words = useWords()
  return (
    <table className="table flush keep">
      <tbody>
        {rows.map(({ key, n, value }) => (
          <tr key={key}>
            <td className="nowrap">{words(`dashboards:steps.${key}`)}</td>
            <td style={{ width: '60%' }}>
              <Fitted>
                {(width) => (
                  <Mark
                    width={width}
                    label={formatRate(value ?? 0)}
                    draw={(look) => drawStep({ share: value ?? 0, isWorst: false }, look)}
                  />
                )}
              </Fitted>
            </td>
            <td className="end figure">{formatNumber(n)}</td>
            <td className="end figure faint">{value === null ? '–' : formatRate(Math.round(value))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface Size {
  width: number
  height: number
}

/** A picture takes the width of its place, and its height too if it has one. */
function Fitted({
  hasHeight = false,
  children,
}: {
  hasHeight?: boolean
  children: (width: number, height: number) => ReactNode
}) {
  const place = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState<Size | null>(null)
  useLayoutEffect(() => {
    const element = place.current
    if (!element) return
    const measure = () => setSize({ width: Math.floor(element.clientWidth), height: Math.floor(element.clientHeight) })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return (
    <div className={hasHeight ? 'fitted tall' : 'fitted'} ref={place}>
      {size !== null && size.width > 0 && children(size.width, Math.max(LEAST_PX, size.height - TABLE_PX))}
    </div>
  )
}

const LEAST_PX = 110
/** The line below a chart that opens its table. */
const TABLE_PX = 34

function labelOf(title: string, parts: string[]): string {
  return `${title}: ${parts.join(', ')}`
}
