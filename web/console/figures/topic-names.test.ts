import { expect, test } from 'vitest'
import { STARTER_TOPICS } from '../../../src/features/answers/verbatim/topics/starter-topics.ts'
import { topicName } from './topic-names.ts'
import english from './words/en.json' with { type: 'json' }

const words = (key: string) => (english as Record<string, string>)[key.replace('figures:', '')] ?? key

test('each topic that a workspace begins with has words in the console, and another keeps its name', () => {
  // In English they are the names themselves, so a starter without words would show its key.
  for (const { name } of STARTER_TOPICS) expect(topicName(name, (key) => `said ${words(key)}`)).toBe(`said ${name}`)
  expect(topicName('Parcels', words)).toBe('Parcels')
})
