import type { Lede } from '../lede/figures.ts'

/** The topics that the first sentences of a screen name. */
export function topicsNamed({ lede, sub }: Lede): string[] {
  return [...lede, ...sub].flatMap(({ values: { topic } }) => (topic && 'text' in topic ? [topic.text] : []))
}

/** The topics of a table in their order: the first ones, and those that a sentence names. */
export function shownTopics<Row extends { topic: { name: string } }>(
  topics: Row[],
  named: string[],
  most: number,
): Row[] {
  const isNamed = ({ topic }: Row) => named.includes(topic.name)
  const others = most - topics.filter(isNamed).length
  const first = new Set(topics.filter((row) => !isNamed(row)).slice(0, others))
  return topics.filter((row) => isNamed(row) || first.has(row))
}
