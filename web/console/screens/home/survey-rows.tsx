import { Link } from '@tanstack/react-router'
import { ScoreDot, scoreText } from '../../figures/metric.tsx'
import type { PeriodState } from '../../figures/period.ts'
import { FEWEST, isClear } from '../../lede/figures.ts'
import { formatNumber } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'
import type { Row } from './data.ts'

/** Surveys with their score, and whether it changed. */
export function SurveyRows({ rows, state }: { rows: Row[]; state: PeriodState }) {
  const words = useWords()
  if (rows.length === 0) return null
  return (
    <section className="section">
      <header>
        <h2>{words('frame:screens.surveys')}</h2>
        <div className="end">
          <Link className="link" to="/app/surveys">
            {words('home:allSurveys')}
          </Link>
        </div>
      </header>
      <table className="table flush keep">
        <thead className="unseen">
          <tr>
            <th>{words('home:survey')}</th>
            <th>{words('home:score')}</th>
            <th className="only-wide">{words('figures:interval')}</th>
            <th className="only-wide">{words('figures:answers')}</th>
            <th className="only-wide">{words('home:change')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <SurveyRow key={row.key} row={row} state={state} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function SurveyRow({ row, state }: { row: Row; state: PeriodState }) {
  const { key, label, metric = 'nps', n, value, interval, previous, change } = row
  const words = useWords()
  const was = previous?.value ?? null
  const said =
    value === null || was === null
      ? ''
      : isClear(change ?? null)
        ? words('home:was', { value: scoreText(metric, was) })
        : words('home:noClearChange')
  return (
    <tr>
      <td>
        <Link className="strong" to="/app/surveys/$surveyId/results" params={{ surveyId: key }} search={state}>
          <bdi>{label}</bdi>
        </Link>{' '}
        <span className="faint">{metric.toUpperCase()}</span>
      </td>
      <td className="end figure strong">
        {value === null ? (
          <span className="faint">{words('home:under', { n: FEWEST })}</span>
        ) : (
          scoreText(metric, value)
        )}
      </td>
      <td className="only-wide" style={{ width: 160 }}>
        <ScoreDot metric={metric} now={{ n, score: value, interval: interval ?? null }} was={was} />
      </td>
      <td className="end figure only-wide">{formatNumber(n)}</td>
      <td className="faint nowrap only-wide" style={{ width: 130 }}>
        {said}
      </td>
    </tr>
  )
}
