import { createWorkThread, WorkFailedError, type WorkThread } from '../../../../platform/loop/work-thread.ts'
import type { Classified, GivenText } from './classifier.ts'
import type { ClassifyTask } from './classify-worker.ts'
import type { TopicWords } from './topic-match.ts'

/** Characters of texts that are classified together, in about a second. One text may be longer. */
export const MOST_TOGETHER = 200_000

const thread = createWorkThread<ClassifyTask, Classified[]>(new URL('./classify-worker.ts', import.meta.url), {
  name: 'texts',
  mostMs: 10_000,
  memoryMb: 128,
})

/**
 * Classifies texts on another thread, so that no text holds up this one. A text that fails alone gets a plain result,
 * so that it keeps no other from theirs. @throws WorkFailedError if too many tasks wait.
 */
export async function classifyTexts(
  of: string,
  topics: TopicWords[],
  texts: GivenText[],
  on: WorkThread<ClassifyTask, Classified[]> = thread,
): Promise<Classified[]> {
  const results: Classified[] = []
  for (const together of inGroups(texts, ({ text }) => text.length))
    results.push(...(await classifyTogether(of, topics, together, on)))
  return results
}

/** Lists of items in their order, each within `MOST_TOGETHER` by their sizes, or of one item. */
export function inGroups<Item>(items: readonly Item[], sizeOf: (item: Item) => number): Item[][] {
  const groups: Item[][] = []
  let left = 0
  for (const item of items) {
    const group = groups.at(-1)
    left -= sizeOf(item)
    if (group && left >= 0) group.push(item)
    else {
      groups.push([item])
      left = MOST_TOGETHER - sizeOf(item)
    }
  }
  return groups
}

async function classifyTogether(
  of: string,
  topics: TopicWords[],
  texts: GivenText[],
  on: WorkThread<ClassifyTask, Classified[]>,
): Promise<Classified[]> {
  try {
    return await on.run({ topics, texts }, of)
  } catch (error) {
    if (!(error instanceof WorkFailedError) || error.reason === 'busy') throw error
    if (texts.length === 1) return texts.map(unclassified)
    const half = texts.length / 2
    return [
      ...(await classifyTogether(of, topics, texts.slice(0, half), on)),
      ...(await classifyTogether(of, topics, texts.slice(half), on)),
    ]
  }
}

/** Nothing is known of it but the language of its response. */
function unclassified({ expected, language }: GivenText): Classified {
  return {
    language: language ?? expected.split(/[-_]/, 1)[0]?.toLowerCase() ?? expected,
    sentiment: { label: 'neutral', score: 0 },
    topics: [],
    words: [],
  }
}
