import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/parts.tsx'
import { marginText, scoreText } from '../../figures/metric.tsx'
import { topicName } from '../../figures/topic-names.ts'
import { Problem } from '../../frame/failure.tsx'
import { digitsFor, isClear, type Change, type Metric } from '../../lede/figures.ts'
import { inOrder, largestOf } from '../../lede/movers.ts'
import { formatLanguage, formatNumber, formatSigned } from '../../words/format.ts'
import { useWords, type Words } from '../../words/words.ts'
import type { Shown } from './data.ts'
import type { useScoreChanges } from './score-change-figures.ts'
import type { Group, ScoreChanges } from './score-change-groups.ts'
import { RowsLink } from './rows-link.tsx'
import type { Going } from './state.ts'
import type { SurveyWords } from './survey-words.ts'

const FEW = 6

interface Props {
  metric: Metric
  query: ReturnType<typeof useScoreChanges>
  /** The answers that a score counts. */
  scored: Array<{ field: string; op: string; value?: unknown }>
  texts: SurveyWords
  shown: Shown
  going: Going
}

/** How the score of each group of answers differs from the period before, or from the second group. */
export function ScoreChangesBlock({ metric, query, scored, texts, shown, going }: Props) {
  const words = useWords()
  const [isAll, setAll] = useState(false)
  const { data: moved } = query
  const isBeside = shown.compare !== undefined
  if (!query.error && moved !== undefined && (moved === null || !canCompare(moved))) return null
  const rows = moved ? inOrder(moved.groups, moved.whole.change) : []
  const title = words(isBeside ? 'results:moved.titleBeside' : 'results:moved.title')
  return (
    <section className="section" aria-label={title}>
      <header>
        <h2>{title}</h2>
      </header>
      {query.error ? (
        <Problem error={query.error} onRetry={() => void query.refetch()} />
      ) : !moved ? (
        <Skeleton label={words('frame:loading')} />
      ) : (
        <>
          <p className="moved-said" style={{ marginBlockEnd: 8 }}>
            {sentence(words, { metric, moved, texts, isBeside })}
          </p>
          <table className="table flush keep">
            <thead>
              <tr>
                <th>{words('results:moved.group')}</th>
                <th className="end">{words('figures:answers')}</th>
                <th className="end">{metric.toUpperCase()}</th>
                <th className="end only-wide">{words(isBeside ? 'results:secondGroup' : 'results:moved.before')}</th>
                <th className="end">{words(isBeside ? 'results:moved.difference' : 'results:moved.change')}</th>
                <th className="end only-wide">{words('results:moved.part', { whole: wholeText(moved) })}</th>
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, isAll ? rows.length : FEW).map((group) => (
                <Row key={`${group.by} ${group.key}`} {...{ group, metric, scored, texts, going }} />
              ))}
            </tbody>
          </table>
          {rows.length > FEW && (
            <Button look="quiet" aria-expanded={isAll} onClick={() => setAll(!isAll)}>
              {words(isAll ? 'results:moved.fewer' : 'results:moved.all', { n: formatNumber(rows.length) })}
            </Button>
          )}
          <p className="faint" style={{ marginBlockStart: 8 }}>
            {words('results:moved.note')}
          </p>
        </>
      )}
    </section>
  )
}

/** Whether there are groups, and both sides have a score. */
function canCompare({ whole, groups }: ScoreChanges): boolean {
  return groups.length > 0 && whole.now.score !== null && whole.before.score !== null
}

/** The change of the whole, which the parts of groups that divide all answers add up to. */
function wholeText({ whole: { now, before } }: ScoreChanges): string {
  return `\u2066${formatSigned(Math.round(now.score ?? 0) - Math.round(before.score ?? 0), 0)}\u2069`
}

interface RowProps extends Pick<Props, 'metric' | 'scored' | 'texts' | 'going'> {
  group: Group
}

function Row({ group, metric, scored, texts, going }: RowProps) {
  const words = useWords()
  const { now, before, change, part } = group
  const digits = digitsFor(now, { ...before, change })
  const { name, of } = namesOf(words, group, texts)
  const margin = marginText(now, digits)
  const tone = isClear(change) ? (change.value < 0 ? 'down' : 'up') : ''
  return (
    <tr>
      <td>
        <span className="pair">
          <span className="strong cut">
            <bdi>{name}</bdi>
          </span>
          <small className="cut">
            <bdi>{of}</bdi>
          </small>
        </span>
      </td>
      <td className="end figure">
        <RowsLink going={going} tests={[testOf(group), ...scored]}>
          {formatNumber(now.n)}
        </RowsLink>
      </td>
      <td className="end figure nowrap">
        <span className="strong">{scoreText(metric, now.score ?? 0, digits)}</span>{' '}
        {margin !== null && (
          <bdi dir="ltr" className="faint only-wide">
            {margin}
          </bdi>
        )}
      </td>
      <td className="end figure only-wide">{before.score === null ? '–' : scoreText(metric, before.score, digits)}</td>
      <td className={`end figure strong ${tone}`} title={change ? intervalText(words, change) : undefined}>
        {change === null ? '–' : <bdi dir="ltr">{formatSigned(change.value, digits)}</bdi>}
      </td>
      <td className="end figure only-wide">
        <bdi dir="ltr">{formatSigned(part.amount, Math.abs(part.amount) < 10 ? 1 : 0)}</bdi>
      </td>
    </tr>
  )
}

function intervalText(words: Words, { value, low, high }: Change): string {
  return words('figures:between', {
    score: formatSigned(value, 1),
    low: formatSigned(low, 1),
    high: formatSigned(high, 1),
  })
}

interface Said extends Pick<Props, 'metric' | 'texts'> {
  moved: ScoreChanges
  isBeside: boolean
}

/** Names the group that explains most of a clear change, and never a cause. */
function sentence(words: Words, { metric, moved: { groups, whole }, texts, isBeside }: Said): string {
  if (!isClear(whole.change)) return words('results:moved.unclear')
  const largest = largestOf(groups, whole.change)
  if (!largest) return words('results:moved.none')
  const { row, isMost } = largest
  const { name, of } = namesOf(words, row, texts)
  const { n, score } = row.now
  const kind = isBeside ? 'difference' : whole.change.value < 0 ? 'fall' : 'rise'
  return words(`results:moved.${kind}${isMost ? 'Most' : 'Some'}`, {
    // Isolated, because names may run in another direction than the sentence.
    who: words(`results:moved.who.${row.by.split('.')[0]}`, { name: `\u2068${name}\u2069`, of: `\u2068${of}\u2069` }),
    counted: words('results:moved.counted', {
      count: n,
      n: formatNumber(n),
      metric: metric.toUpperCase(),
      // From left to right, so that its sign stays before it.
      score: `\u2066${scoreText(metric, score ?? 0)}\u2069`,
    }),
  })
}

/** The name of a group, and of the property that its answers share. */
function namesOf(words: Words, { by, key, label }: Group, texts: SurveyWords): { name: string; of: string } {
  const [family = '', ...rest] = by.split('.')
  const property = rest.join('.')
  if (family === 'answer') {
    const chosen = texts.labelsOf(property).get(key)
    return { name: chosen ?? answerText(words, key), of: texts.titleOf(property) ?? property }
  }
  if (family === 'custom') return { name: label, of: property }
  const shown: Record<string, string> = {
    language: formatLanguage(key),
    channel: words(`list:values.${key}`),
    topic: topicName(label, words),
  }
  const name = shown[family] ?? label
  return { name, of: words(`list:fields.${family === 'agent' ? 'agent_id' : family}`) }
}

function answerText(words: Words, key: string): string {
  if (key === 'true' || key === 'false') return words(key === 'true' ? 'results:yes' : 'results:no')
  return Number.isFinite(Number(key)) ? formatNumber(Number(key)) : key
}

/** The condition of the answers of a group. */
function testOf({ by, key }: Group): { field: string; op: string; value: unknown } {
  const value = by.startsWith('answer.') && (key === 'true' || key === 'false') ? key === 'true' : key
  const isNumber = by.startsWith('answer.') && /^-?\d+(?:\.\d+)?$/.test(key)
  return { field: by === 'agent' ? 'agent_id' : by, op: 'eq', value: isNumber ? Number(key) : value }
}
