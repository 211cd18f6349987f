import type { Filter } from '../../../../platform/filter/grammar.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { findTopicsIn } from '../topics/topics.service.ts'
import { listVerbatim } from './listing.service.ts'
import { wordsIn } from '../rules-engine/words.ts'

const SHORTEST_WORD = 4
const MOST_WORDS = 5

interface Asked {
  filter: Filter
  question: string
  /** The feeling that the question is about. */
  tone: 'negative' | 'positive' | null
  limit: number
}

/** Texts that come near a question: about its topics, then by its words, then by its tone, then the newest. */
export async function listNear(scope: Scope, { filter, question, tone, limit }: Asked) {
  const words = wordsIn(question)
    .filter((word) => word.length >= SHORTEST_WORD)
    .slice(-MOST_WORDS)
  const topics = await findTopicsIn(scope, question)
  const sort = tone === 'negative' ? 'sentiment' : tone === 'positive' ? '-sentiment' : '-completed_at'
  const all = new Map<string, Awaited<ReturnType<typeof listVerbatim>>['data'][number]>()
  const add = async (search: string | undefined, chosen: Filter) => {
    if (all.size >= limit) return
    const { data } = await listVerbatim(scope, { filter: chosen, search, sort, limit })
    for (const row of data) all.set(`${row.response_id}/${row.question_id}`, row)
  }
  if (topics.length > 0) await add(undefined, { all: [filter, { field: 'topic', op: 'one_of', value: topics }] })
  if (words.length > 0) await add(words.join(' or '), filter)
  await add(undefined, filter)
  return [...all.values()].slice(0, limit).map((row) => ({
    responseId: row.response_id,
    questionId: row.question_id,
    text: row.text,
    label: row.sentiment.label,
    topics: row.topics.map(({ name }) => name),
  }))
}
