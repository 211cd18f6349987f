import { stem, wordsIn } from './words.ts'

/** The words of a topic, as it is handed to the matcher. */
export interface TopicWords {
  id: string
  keywords: Record<string, string[]>
  surveyIds: string[]
}

export interface Match {
  id: string
  /** From 0 to 1: how much in the text speaks for the topic. */
  confidence: number
}

interface Keyword {
  topic: number
  parts: Part[]
}

interface Part {
  text: string
  isPrefix: boolean
}

export interface Matcher {
  match(words: string[], language: string, surveyId: string): Match[]
}

const ONE = 0.6
const EACH_MORE = 0.15

/** Finds topics by the basic forms of words. A keyword may be a phrase, and `deliver*` matches what begins with it. */
export function createMatcher(topics: TopicWords[]): Matcher {
  const byLanguage = new Map<string, Index>()
  return {
    match(words, language, surveyId) {
      const index = byLanguage.get(language) ?? createIndex(topics, language)
      byLanguage.set(language, index)
      const stems = words.map((word) => stem(word, language))
      const hits = new Map<number, Set<number>>()
      for (let at = 0; at < words.length; at += 1) {
        for (const [number, keyword] of index.startingAt(words[at] ?? '', stems[at] ?? '')) {
          if (!keyword.parts.every((part, step) => fits(part, words[at + step], stems[at + step]))) continue
          const found = hits.get(keyword.topic) ?? new Set()
          hits.set(keyword.topic, found.add(number))
        }
      }
      return [...hits].flatMap(([number, found]) => {
        const topic = topics[number]
        if (!topic || (topic.surveyIds.length > 0 && !topic.surveyIds.includes(surveyId))) return []
        return [
          { id: topic.id, confidence: Math.min(0.95, Math.round((ONE + EACH_MORE * (found.size - 1)) * 100) / 100) },
        ]
      })
    },
  }
}

interface Index {
  startingAt(word: string, stemmed: string): Array<[number, Keyword]>
}

function createIndex(topics: TopicWords[], language: string): Index {
  const exact = new Map<string, Array<[number, Keyword]>>()
  // By the first two letters: a prefix is compared with few words.
  const prefixes = new Map<string, Array<[number, Keyword]>>()
  let number = 0
  for (const [topic, { keywords }] of topics.entries())
    for (const keyword of keywords[language] ?? []) {
      const parts = partsOf(keyword, language)
      const [first] = parts
      if (!first) continue
      const [map, key] = first.isPrefix ? [prefixes, first.text.slice(0, 2)] : [exact, first.text]
      map.set(key, [...(map.get(key) ?? []), [(number += 1), { topic, parts }]])
    }
  return {
    startingAt: (word, stemmed) => [...(exact.get(stemmed) ?? []), ...(prefixes.get(word.slice(0, 2)) ?? [])],
  }
}

function partsOf(keyword: string, language: string): Part[] {
  return keyword.split(/\s+/).flatMap((part) => {
    const isPrefix = part.endsWith('*')
    return wordsIn(part).map((word) => ({ text: isPrefix ? word : stem(word, language), isPrefix }))
  })
}

function fits({ text, isPrefix }: Part, word: string | undefined, stemmed: string | undefined): boolean {
  return isPrefix ? (word ?? '').startsWith(text) : text === stemmed
}
