import type { ReactNode } from 'react'
import { marginText, ScoreDot, scoreText } from '../../figures/metric.tsx'
import { digitsFor, FEWEST, isClear, type Compared, type Metric } from '../../lede/figures.ts'
import { formatRate } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'
import type { Figure } from './data.ts'

export function Cell({ name, value, was }: { name: string; value: ReactNode; was?: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="big">{value}</dd>
      {was !== undefined && <dd className="was">{was}</dd>}
    </div>
  )
}

/** A share, with that of the period before unless the difference may be chance. */
export function RateCell({ name, figure, of }: { name: string; figure: Figure | undefined; of?: string }) {
  const words = useWords()
  const value = figure?.value
  if (value == null)
    return (
      <Cell name={name} value="–" was={figure && figure.n > 0 ? words('figures:tooFew', { n: figure.n }) : undefined} />
    )
  const before = figure?.previous?.value
  const was =
    before == null
      ? undefined
      : isClear(figure?.change ?? null)
        ? words('figures:before', { value: formatRate(Math.round(before)) })
        : words('home:noClearChange')
  const said = [of, was].filter((each) => each !== undefined)
  return (
    <Cell
      name={name}
      value={formatRate(Math.round(value))}
      was={
        said.length === 0
          ? undefined
          : said.map((each) => (
              <span key={each} style={{ display: 'block' }}>
                {each}
              </span>
            ))
      }
    />
  )
}

export function ScoreCell({ metric, now, before }: { metric: Metric; now: Compared; before: Compared }) {
  const words = useWords()
  const { score } = now
  const name = metric.toUpperCase()
  if (score === null || now.n < FEWEST)
    return <Cell name={name} value="–" was={words('figures:tooFew', { n: now.n })} />
  const digits = digitsFor(now, before)
  const margin = marginText(now, digits)
  return (
    <div>
      <dt>{name}</dt>
      <dd className="big">
        {scoreText(metric, score, digits)}
        {margin !== null && (
          <small>
            <bdi dir="ltr">{margin}</bdi>
          </small>
        )}
      </dd>
      <dd>
        <ScoreDot metric={metric} now={now} was={before.score} digits={digits} />
      </dd>
    </div>
  )
}
