import { topicName } from '../figures/topic-names.ts'
import { formatNumber, formatRate } from '../words/format.ts'
import type { Words } from '../words/words.ts'
import type { Sentence, Value } from './figures.ts'

/** A sentence in the language of the console. */
export function say({ key, values }: Sentence, words: Words): string {
  const shown = Object.fromEntries(Object.entries(values).map(([each, value]) => [each, textOf(each, value, words)]))
  const { n } = values
  return words(key, { ...shown, ...(n && 'number' in n && { count: n.number }) })
}

export function sayAll(sentences: Sentence[], words: Words): string {
  return sentences.map((each) => say(each, words)).join(' ')
}

function textOf(key: string, value: Value, words: Words): string {
  // Isolated, because a name may run in another direction than the sentence.
  if ('text' in value) return `\u2068${key === 'topic' ? topicName(value.text, words) : value.text}\u2069`
  return value.as === 'percent' ? formatRate(value.number) : formatNumber(value.number, value.digits)
}
