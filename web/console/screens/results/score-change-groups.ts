import type { Schemas } from '../../../api/client.ts'
import { FEWEST, type Change, type Metric, type Scored } from '../../lede/figures.ts'
import { partOf, type Pair, type Part } from '../../lede/movers.ts'

/** People who gave one answer, or came one way, and their score. */
export interface Group extends Pair {
  /** The property that the group shares, as `by` of a query names it. */
  by: string
  key: string
  /** The name of an agent or a topic, else the key. */
  label: string
  part: Part
}

export interface ScoreChanges {
  whole: Pair
  groups: Group[]
  /** The band of all who wrote words, where there is only one. */
  textBand: string | null
}

// Each is a look at all answers of two periods.
const MOST_CHOSEN = 6
const MOST_CUSTOM = 3
export const WHOLE = 'whole'
export const TEXTS = 'texts'
export const PROPERTIES = ['channel', 'language', 'topic', 'agent', 'team']
/** Questions with an answer from a short list. */
const CHOSEN = new Set(['single', 'dropdown', 'multi', 'picture', 'consent', 'rating'])
/** Kept as the agent of an answer, and not beside it. */
const AGENT_FIELD = 'agent_id'

/** The properties by which answers are grouped, the first questions first. */
export function propertiesOf({
  questions,
  custom_fields,
}: {
  questions: ReadonlyArray<{ id: string; type: string }>
  custom_fields: readonly string[]
}): string[] {
  const custom = custom_fields.filter((name) => name !== AGENT_FIELD).slice(0, MOST_CUSTOM)
  const others = [...PROPERTIES, ...custom.map((name) => `custom.${name}`)]
  const chosen = questions.filter(({ type }) => CHOSEN.has(type)).map(({ id }) => `answer.${id}`)
  return [...chosen.slice(0, MOST_CHOSEN), ...others]
}

type Figures = Schemas['FigureAnswers']['figures']

interface Figure {
  n: number
  value?: number | null
  interval?: { low: number; high: number }
}

interface Compared extends Figure {
  previous?: Figure
  compared?: Figure
  change?: Change | null
}

interface Row extends Compared {
  key: string
  label: string
}

/** Groups with a score. A query that took too long has none, and a group of everybody explains nothing. */
export function scoreChangesIn(metric: Metric, properties: string[], figures: Figures): ScoreChanges | null {
  const all = figures[WHOLE]
  if (!all || 'error' in all) return null
  const whole = pairOf(all)
  const groups = properties.flatMap((by, at) => {
    const figure = figures[`by${at}`]
    const rows = figure && 'rows' in figure ? (figure.rows as unknown as Row[]) : []
    return rows.flatMap(({ key, label, ...row }) => {
      const pair = pairOf(row)
      const part = partOf(metric, pair, whole)
      const isWhole = pair.now.n >= whole.now.n && pair.before.n >= whole.before.n
      return part && pair.now.score !== null && !isWhole ? [{ ...pair, by, key, label, part }] : []
    })
  })
  const textBand = textBandIn(figures[TEXTS], whole)
  // Where one band alone writes, the score of those who name a topic is that of the band.
  return { whole, groups: groups.filter(({ by }) => by !== 'topic' || textBand === null), textBand }
}

/** Null where people of several bands wrote, where all answers are of one, and where few wrote. */
function textBandIn(figure: Figures[string] | undefined, { now }: Pair): string | null {
  if (!figure || 'error' in figure || figure.n < FEWEST) return null
  const rows = (figure.rows ?? []) as unknown as Array<{ groups: Array<{ key: string }> }>
  const [band = null, ...others] = new Set(rows.flatMap(({ groups }) => groups[0]?.key ?? []))
  return others.length > 0 || now.interval === null ? null : band
}

function pairOf({ previous, compared, change, ...now }: Compared): Pair {
  return { now: scoredOf(now), before: scoredOf(compared ?? previous), change: change ?? null }
}

function scoredOf(figure: Figure | undefined): Scored {
  return { n: figure?.n ?? 0, score: figure?.value ?? null, interval: figure?.interval ?? null }
}
