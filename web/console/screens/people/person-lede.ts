import type { Schemas } from '../../../api/client.ts'

export interface Sentence {
  key: string
  values: Record<string, string | number>
}

type Person = Pick<Schemas['Person'], 'created_at' | 'last_invited_at' | 'last_responded_at' | 'last_score'>
type Entry = Pick<Schemas['PersonTimeline']['data'][number], 'at' | 'kind' | 'score' | 'survey_id'>
type Text = Pick<Schemas['Verbatim'], 'topics'>

interface Say {
  momentOf: (at: string) => string
  exactOf: (at: string) => string
  dayOf: (at: string) => string
  listOf: (texts: string[]) => string
}

const MOST_BEFORE = 2
const MOST_TOPICS = 3

/** The first thing that a person's screen says: the last score, after those of the same survey before it. */
export function personLede(person: Person, entries: Entry[], { momentOf, exactOf, listOf }: Say): Sentence {
  const { last_invited_at, last_responded_at, last_score } = person
  if (last_responded_at === null && last_invited_at === null) {
    const next = entries.findLast(({ kind }) => kind === 'planned')
    return next ? { key: 'first.planned', values: { when: exactOf(next.at) } } : { key: 'first.never', values: {} }
  }
  if (last_responded_at === null) return { key: 'first.asked', values: { when: momentOf(last_invited_at ?? '') } }
  const when = momentOf(last_responded_at)
  if (last_score === null) return { key: 'first.answered', values: { when } }
  const scored = entries.filter(({ kind, score }) => kind === 'responded' && score !== null)
  const before = scored
    .slice(1)
    // Scores of two surveys may be of two metrics.
    .filter(({ survey_id }) => survey_id === scored[0]?.survey_id)
    .slice(0, MOST_BEFORE)
    .map(({ score }) => String(score))
  const values = { score: last_score, when }
  return before.length === 0
    ? { key: 'first.scored', values }
    : { key: 'first.scoredAfter', values: { ...values, before: listOf(before) } }
}

/** The topics of texts, those of most texts first. */
export function topicsOf(texts: Text[]): string[] {
  const counts = new Map<string, number>()
  for (const { topics } of texts) for (const { name } of topics) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([name]) => name)
}

/**
 * The topics of a person, since when they are known, and how often they were asked and answered. Counts only a story
 * that was read to its beginning.
 */
export function personSub(
  person: Person,
  entries: Entry[],
  topics: string[],
  isWhole: boolean,
  { dayOf, listOf }: Say,
): Sentence[] {
  const about = topics.slice(0, MOST_TOPICS)
  const known: Sentence[] = [
    ...(about.length === 0 ? [] : [{ key: 'writesAbout', values: { topics: listOf(about) } }]),
    { key: 'known', values: { since: dayOf(person.created_at) } },
  ]
  if (!isWhole) return known
  const count = (kind: string) => entries.filter((entry) => entry.kind === kind).length
  return [
    ...known,
    ...(['asked', 'answered'] as const).flatMap((name) => {
      const n = count(name === 'asked' ? 'invited' : 'responded')
      return n === 0 ? [] : [{ key: `times.${name}`, values: { count: n, n } }]
    }),
  ]
}
