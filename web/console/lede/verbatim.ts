import { count, isClear, name, points, share, type Lede } from './figures.ts'

/** A topic of some texts: how many name it, and how the scores of those who do differ from the others'. */
export interface WrittenTopic {
  name: string
  n: number
  /** Of all texts, in per cent. */
  share: number
  impact: number | null
  interval: { low: number; high: number } | null
}

/** What do they write about, and what costs most? */
export function verbatimLede({ hasTexts, topics }: { hasTexts: boolean; topics: WrittenTopic[] }): Lede {
  if (!hasTexts) return { lede: [{ key: 'lede:noWords', values: {} }], sub: [] }
  const [worst] = topics
    .flatMap(({ impact, interval, ...topic }) =>
      impact !== null && impact < 0 && interval !== null && isClear({ value: impact, ...interval })
        ? [{ ...topic, impact }]
        : [],
    )
    .toSorted((a, b) => a.n * a.impact - b.n * b.impact)
  if (worst && points(worst.impact, 1).number < 0) {
    const values = { topic: name(worst.name), n: count(worst.n), by: points(-worst.impact, 1) }
    return { lede: [{ key: 'lede:costs', values }], sub: [] }
  }
  const [commonest] = topics.toSorted((a, b) => b.n - a.n)
  if (!commonest || share(commonest.share).number === 0)
    return { lede: [{ key: 'lede:noTopics', values: {} }], sub: [] }
  const values = { topic: name(commonest.name), share: share(commonest.share) }
  return { lede: [{ key: 'lede:writeAbout', values }], sub: [] }
}
