import type { Schemas } from '../../api/client.ts'
import { drawPlace, drawSparkline, drawStep } from '../../charts/marks.ts'
import { Mark } from '../../ui/chart.tsx'
import { useMemberName } from '../app/me.ts'
import { formatAxis, formatFigure, formatLanguage, formatNumber, formatRate } from '../words/format.ts'
import { useWords } from '../words/words.ts'
import { Fitted } from './fitted.tsx'
import type { Figure, Widget } from './queries.ts'
import type { Metric } from '../../../src/survey-engine/model/definition.ts'

/** A group of a figure. */
export interface Row {
  key: string
  label: string
  n: number
  value: number | null
  /** Of the measure `score`, whose rows have several. */
  metric?: Metric
  interval?: { low: number; high: number }
  series?: NonNullable<Figure['series']>
  previous?: { value?: number | null }
  position?: number
  tied_with_next?: boolean
}

export type Shown = Pick<Widget, 'kind' | 'title' | 'query'>

export function Rows({ widget: { kind, title, query }, rows, unit }: { widget: Shown; rows: Row[]; unit: Unit }) {
  const words = useWords()
  const nameOf = useGroupName(kind === 'leaderboard' ? ['agent'] : query.by)
  const isRanked = kind === 'leaderboard'
  const scored = rows.flatMap(({ value, interval }) =>
    value === null ? [] : [interval?.low ?? value, interval?.high ?? value],
  )
  const unitOf = ({ metric = 'nps' }: Row): Unit => (metric === 'nps' ? unit : 'percent')
  // Points and per cent share no scale.
  const hasDoubt = rows.some(({ interval }) => interval) && new Set(rows.map(unitOf)).size === 1
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
            <td className="end figure strong">{row.value === null ? '–' : formatFigure(row.value, unitOf(row))}</td>
            {hasDoubt && (
              <td className="only-wide" style={{ width: 140 }}>
                {row.value !== null && row.interval && (
                  <Mark
                    width={130}
                    label={words('figures:between', {
                      score: formatFigure(row.value, unitOf(row)),
                      low: formatFigure(row.interval.low, unitOf(row)),
                      high: formatFigure(row.interval.high, unitOf(row)),
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
                    .map(({ value }) => (value === null ? '–' : formatFigure(value, unitOf(row))))
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
                {row.previous?.value == null ? '–' : formatFigure(row.previous.value, unitOf(row))}
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

export function Times({ widget: { title, query }, figure: { series = [], unit } }: { widget: Shown; figure: Figure }) {
  const words = useWords()
  const names = formatAxis(series.map(({ date }) => date)).toReversed()
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
        {series.toReversed().map(({ from, value, enough, n }, at) => (
          <tr key={from}>
            <td>{names[at]}</td>
            <td className="end figure strong">{enough && value !== null ? formatFigure(value, unit) : '–'}</td>
            {unit !== 'count' && <td className="end figure">{formatNumber(n)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export function Funnel({ rows }: { rows: Row[] }) {
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

export type Unit = Schemas['Figure']['unit']

/** Groups whose keys the console has words for. The API names surveys, agents, topics and rules itself. */
const IN_WORDS = new Set(['channel', 'band', 'sentiment', 'status', 'priority'])

/** The name of a group, in the language of the console. */
export function useGroupName(by: string[] = []): (row: { key: string; label: string }) => string {
  const words = useWords()
  const memberName = useMemberName()
  const [only] = by
  return ({ key, label }) => {
    if (by.length !== 1 || only === undefined) return label
    if (IN_WORDS.has(only)) return words(`list:values.${key}`)
    if (only === 'language') return formatLanguage(key)
    return only === 'owner' ? (memberName(key) ?? label) : label
  }
}
