import { languageOf } from './language.ts'
import { sentimentOf, type Sentiment } from './sentiment.ts'
import { createMatcher, type Match, type TopicWords } from './topic-match.ts'
import { searchWords, wordsIn } from './words.ts'

/** A text to be classified. */
export interface GivenText {
  text: string
  surveyId: string
  /** The language of the response. */
  expected: string
  /** The languages of its survey. */
  languages: string[]
  /** The language that a person chose. */
  language: string | null
}

export interface Classified {
  language: string
  sentiment: Sentiment
  topics: Match[]
  /** The basic forms of the words, for the search. */
  words: string[]
}

/** Classifies by rules, offline. */
export function createClassifier(topics: TopicWords[]): (given: GivenText) => Classified {
  const matcher = createMatcher(topics)
  return ({ text, surveyId, expected, languages, language: chosen }) => {
    const language = chosen ?? languageOf(text, expected, languages)
    const words = wordsIn(text)
    return {
      language,
      sentiment: sentimentOf(text, language),
      topics: matcher.match(words, language, surveyId),
      words: searchWords(words, language),
    }
  }
}
