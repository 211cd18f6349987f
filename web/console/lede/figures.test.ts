import { expect, test } from 'vitest'
import { count, name, shownTopics, topicsNamed } from './figures.ts'

const TOPICS = ['Delivery', 'Price', 'Staff', 'App', 'Refund'].map((each) => ({ topic: { name: each } }))
const namesOf = (rows: typeof TOPICS) => rows.map(({ topic }) => topic.name)

test('a topic that a sentence names is in the table, however few write about it', () => {
  expect(namesOf(shownTopics(TOPICS, ['Refund'], 3))).toEqual(['Delivery', 'Price', 'Refund'])
  expect(namesOf(shownTopics(TOPICS, ['Price'], 3))).toEqual(['Delivery', 'Price', 'Staff'])
  expect(namesOf(shownTopics(TOPICS, ['Gone'], 3))).toEqual(['Delivery', 'Price', 'Staff'])
  expect(namesOf(shownTopics(TOPICS, [], 9))).toEqual(namesOf(TOPICS))
})

test('the topics of sentences are read from their values', () => {
  const lede = [{ key: 'lede:score', values: { n: count(3) } }]
  const sub = [{ key: 'lede:topicLower', values: { topic: name('Refund') } }]
  expect(topicsNamed({ lede, sub })).toEqual(['Refund'])
})
