import { countsOf, npsOf } from '../../../survey-engine/metrics/metrics.ts'
import type { Content, Data } from '../../programme/dashboards/data.service.ts'
import type { report } from './rollups/rollups.fixture.ts'

// Counts by hand, over the rows as they are stored.

const MINUTE = 60_000

/** A response as it is stored. */
export interface Row {
  id: string
  survey_id: string
  state: string
  metric: string | null
  score: number | null
  band: string | null
  answers: Array<{ question_id: string; type: string; value: unknown }>
  text: Array<{ question_id: string; value: unknown }>
  custom_data: Record<string, unknown>
  path: string[]
  tags: string[]
  started_at: Date
  completed_at: Date | null
  recorded_at: Date
  anonymity: string | null
}

export interface Rule {
  filter: Content['filter']
  passes: (row: Row) => boolean
}

/** Some that facts decide, and some that read responses. Times are after the first response. */
export function rulesOf(start: number): Rule[] {
  const at = (minutes: number) => new Date(start + minutes * MINUTE).toISOString()
  const is = (field: string, op: 'eq' | 'lte' | 'gte' | 'lt' | 'contains', value: string | number) => ({
    field,
    op,
    value,
  })
  const says = (word: string) => (row: Row) =>
    row.text.some(({ value }) => String(value).toLowerCase().includes(word.toLowerCase()))
  const scored = (row: Row, most: number) => row.score !== null && row.score <= most
  return [
    { filter: { all: [] }, passes: () => true },
    { filter: { all: [is('score', 'lte', 6)] }, passes: (row) => scored(row, 6) },
    { filter: { not: { any: [is('tag', 'eq', 'vip')] } }, passes: (row) => !row.tags.includes('vip') },
    {
      filter: { all: [is('answer.q1', 'gte', 9)] },
      passes: (row) => row.answers.some((each) => each.question_id === 'q1' && Number(each.value) >= 9),
    },
    { filter: { all: [is('custom.plan', 'eq', 'pro')] }, passes: (row) => row.custom_data['plan'] === 'pro' },
    { filter: { all: [is('text', 'contains', 'refund')] }, passes: says('refund') },
    { filter: { all: [is('text', 'contains', 'WORD')] }, passes: says('word') },
    {
      filter: { all: [is('text', 'contains', 'refund'), is('score', 'lte', 8)] },
      passes: (row) => says('refund')(row) && scored(row, 8),
    },
    {
      filter: { all: [is('started_at', 'lt', at(1_500))] },
      passes: (row) => row.started_at.getTime() < start + 1_500 * MINUTE,
    },
    {
      filter: { any: [{ field: 'completed_at', op: 'between', value: [at(700), at(2_500)] }, is('tag', 'eq', 'vip')] },
      passes: (row) => {
        const minutes = row.completed_at ? (row.completed_at.getTime() - start) / MINUTE : -1
        return (minutes >= 700 && minutes <= 2_500) || row.tags.includes('vip')
      },
    },
  ]
}

// A part holds answers of a response that another row counts.
const isWhole = (row: Row) => row.anonymity !== 'part'
const isSeen = (row: Row) => row.state !== 'quarantined' && row.state !== 'deleted'
const counts = (row: Row) => isSeen(row) && isWhole(row)
const within = (rows: Row[], from: string | undefined, to: string | undefined) =>
  rows.filter(({ recorded_at: at }) => new Date(from ?? 0) <= at && at < new Date(to ?? 0))
const scoredBy = (rows: Row[], scoreIn: (row: Row) => unknown) => {
  const scores = rows.flatMap((row) => {
    const score = row.state === 'completed' ? scoreIn(row) : null
    return typeof score === 'number' ? [{ score, n: 1 }] : []
  })
  return npsOf(countsOf(scores))
}
const pointsOf = (rows: Row[]) => scoredBy(rows, ({ score }) => score)
const answeredNps = (rows: Row[]) => scoredBy(rows, ({ answers }) => answers.find(({ type }) => type === 'nps')?.value)
const statesOf = (rows: Row[]) =>
  Object.fromEntries(
    [...Map.groupBy(rows.filter(isWhole), ({ state }) => state)].map(([state, own]) => [state, own.length]),
  )

type Report = Awaited<ReturnType<typeof report>>

/** The figures of a report that are also counted by hand. */
export function saidBy({ counts: { total, ...states }, nps: figures, questions, trend, previous, ...rest }: Report) {
  const { total: before, ...earlier } = previous.counts
  const { change: _, ...npsBefore } = previous.nps
  const some = (each: Record<string, number>) => Object.fromEntries(Object.entries(each).filter(([, n]) => n > 0))
  return {
    states: some(states),
    total,
    nps: figures,
    csat: rest.csat.n,
    questions: questions.map((each) => [each.reached, each.answered, each.dropped_off]),
    bars: questions[0]?.distribution.map(({ count }) => count),
    trend: trend.map(({ responses, completed, score, n }) => ({ responses, completed, score, n })),
    previous: { states: some(earlier), total: before, nps: npsBefore },
  }
}

export function countedByHand(rows: Row[], { period, trend, previous, questions }: Report): ReturnType<typeof saidBy> {
  const [now, before] = [within(rows, period.from, period.to), within(rows, previous.period.from, period.from)]
  const has = ({ answers, text }: Row, id: string) => [...answers, ...text].some((each) => each.question_id === id)
  const open = now.filter(({ state }) => state === 'started' || state === 'partial')
  const done = now.filter(({ state }) => state === 'completed')
  const ends = [...trend.slice(1).map(({ from }) => from), period.to]
  const given = (score: number) =>
    done.filter(({ answers }) => answers.some((each) => each.question_id === 'q1' && each.value === score))
  return {
    states: statesOf(now),
    total: now.filter(isWhole).length,
    nps: answeredNps(now),
    csat: done.filter(({ answers }) => answers.some(({ type }) => type === 'csat')).length,
    questions: questions.map(({ question_id: id }) => [
      now.filter((row) => counts(row) && row.path.includes(id)).length,
      now.filter((row) => isSeen(row) && has(row, id)).length,
      open.filter(({ path }) => path.at(-1) === id).length,
    ]),
    bars: Array.from({ length: 11 }, (_, score) => given(score).length),
    trend: ends.map((end, slot) => {
      const own = within(rows, slot === 0 ? period.from : ends[slot - 1], end)
      const { score, n } = pointsOf(own)
      return { responses: own.filter(counts).length, completed: statesOf(own)['completed'] ?? 0, score, n }
    }),
    previous: { states: statesOf(before), total: before.filter(isWhole).length, nps: answeredNps(before) },
  }
}

type Shown = Data['widgets'][string]

/** The number of a widget, its series or groups, and those of the period before. */
export function shownBy({ n, series, rows, previous }: Shown) {
  const groups = rows as Array<{ key: string; n: number; previous?: { n: number } }> | undefined
  return {
    n,
    series: series?.map((each) => each.n),
    groups: groups?.map((row) => [row.key, row.n, row.previous?.n]).toSorted(),
    previous: previous?.n,
  }
}

/** Responses that can be read, those that are in figures, and those of the first that pass a filter. */
interface Sorts {
  open: Row[]
  figures: Row[]
  passing: Row[]
  isFiltered: boolean
}

/** The same for each of the queries, in the period of a report. Intervals begin at `starts`. */
export function shownByHand(
  { open, figures, passing, isFiltered }: Sorts,
  { period, previous }: Report,
  starts: string[],
): Array<ReturnType<typeof shownBy>> {
  const now = (rows: Row[]) => within(rows, period.from, period.to).filter(counts)
  const before = (rows: Row[]) => within(rows, previous.period.from, period.from).filter(counts)
  const ends = [...starts.slice(1), period.to]
  const series = (rows: Row[]) =>
    ends.map((end, slot) => within(rows, slot === 0 ? period.from : ends[slot - 1], end).filter(counts).length)
  const groups = (rows: Row[], of: (row: Row) => string[], earlier?: Row[]) => {
    const n = (own: Row[], key: string) => own.filter((row) => of(row).includes(key)).length
    return [...new Set(rows.flatMap(of))].map((key) => [key, n(rows, key), earlier && n(earlier, key)]).toSorted()
  }
  const sum = (all: ReturnType<typeof groups>) => all.reduce((n, row) => n + Number(row[1]), 0)
  const chosen = isFiltered ? passing : figures
  const bands = groups(now(open), ({ band }) => (band === null ? [] : [band]), before(open))
  const tags = groups(now(passing), (row) => row.tags)
  const none = { series: undefined, groups: undefined, previous: undefined }
  return [
    { ...none, n: now(figures).length, previous: before(figures).length },
    { ...none, n: now(figures).length, series: series(figures) },
    { ...none, n: sum(bands), groups: bands },
    { ...none, n: sum(tags), groups: tags },
    { ...none, n: now(chosen).length, previous: before(chosen).length },
    { ...none, n: now(chosen).length, series: series(chosen) },
    { ...none, n: pointsOf(within(chosen, period.from, period.to)).n },
  ]
}

/** The queries of a dashboard, with a filter. */
export function queriesOf(
  surveyIds: string[],
  filter: Content['filter'],
  interval: 'day' | 'week',
): Array<Content['widgets'][number]['query']> {
  const all = { survey_ids: surveyIds, source: 'responses' as const, measure: 'count' as const }
  return [
    { ...all, compare: 'previous' },
    { ...all, interval },
    { ...all, by: ['band'], compare: 'previous' },
    { ...all, by: ['tag'], filter },
    { ...all, filter, compare: 'previous' },
    { ...all, filter, interval },
    { ...all, filter, measure: 'nps' },
  ]
}
