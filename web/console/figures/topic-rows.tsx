import type { ReactNode } from 'react'
import { drawEffect, drawSparkline } from '../../charts/marks.ts'
import type { Schemas } from '../../api/client.ts'
import { Mark } from '../../ui/chart.tsx'
import { formatNumber, formatSigned } from '../words/format.ts'
import { useWords } from '../words/words.ts'
import { shownTopics } from '../lede/figures.ts'
import { topicName } from './topic-names.ts'

type Theme = Schemas['Themes']['data'][number]

const MOST = 6
const NARROW = 72

interface Props {
  topics: Theme[]
  /** Those that a sentence of the screen names are always shown. */
  named: string[]
  linkTo: (id: string, text: string) => ReactNode
  /** Of the bars. */
  width?: number
  /**
   * How many texts named each topic in each of the last weeks, by its id. They stand in place of the bars of effects.
   */
  weeks?: ReadonlyMap<string, number[]>
  /** More about these texts. */
  note?: string | undefined
}

/** Topics by how many write about them, with their effect on the score. It has a bar only where it is sure enough. */
export function TopicRows({ topics, named, linkTo, width = NARROW, weeks, note }: Props) {
  const words = useWords()
  const shown = shownTopics(topics, named, MOST)
  const ends = shown.flatMap(({ score_impact_interval: doubt }) => (doubt ? [doubt.low, doubt.high] : []))
  const most = Math.max(0, ...ends.map(Math.abs))
  return (
    <>
      <table className="table flush keep">
        <thead>
          <tr>
            <th>{words('figures:topic')}</th>
            <th className="end">{words('figures:texts')}</th>
            {weeks && <th>{words('figures:eightWeeks')}</th>}
            <th className="end" colSpan={weeks ? 1 : 2} style={weeks && { whiteSpace: 'normal', width: 72 }}>
              {words('figures:effect')}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ topic, n, score_impact: value, score_impact_interval: doubt }) => {
            const isClear = doubt !== null && (doubt.low > 0 || doubt.high < 0)
            const counts = weeks?.get(topic.topic_id) ?? []
            const effect =
              value === null || doubt === null
                ? undefined
                : words('figures:between', {
                    score: formatSigned(value, 1),
                    low: formatSigned(doubt.low, 1),
                    high: formatSigned(doubt.high, 1),
                  })
            const tone = value !== null && isClear ? (value < 0 ? 'down' : 'up') : ''
            return (
              <tr key={topic.topic_id}>
                <td>
                  <bdi>{linkTo(topic.topic_id, topicName(topic.name, words))}</bdi>
                </td>
                <td className="end figure">{formatNumber(n)}</td>
                {weeks ? (
                  <td style={{ width: width + 16 }}>
                    {counts.length > 0 && (
                      <Mark
                        draw={(look) => drawSparkline(counts, look)}
                        label={words('figures:byWeek', { counts: counts.map((each) => formatNumber(each)).join(', ') })}
                        width={width}
                      />
                    )}
                  </td>
                ) : (
                  <td className={width > NARROW ? 'only-wide' : ''} style={{ width: width + 16 }}>
                    {value !== null && doubt !== null && effect !== undefined && (
                      <Mark
                        draw={(look) => drawEffect({ value, ...doubt, most: most || 1 }, look)}
                        label={effect}
                        width={width}
                        isFluid
                      />
                    )}
                  </td>
                )}
                <td className={`end figure strong ${tone}`} title={weeks && effect}>
                  {value === null ? '–' : <bdi dir="ltr">{formatSigned(value, 1)}</bdi>}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <p className="faint" style={{ marginBlockStart: 8 }}>
        {words('figures:noProof')}{' '}
        {shown.some(({ score_impact: value }) => value === null) && words('figures:effectNone')}{' '}
        {shown.some(({ score_impact_interval: doubt }) => doubt === null) && words('figures:effectUnsure')} {note}
      </p>
    </>
  )
}
