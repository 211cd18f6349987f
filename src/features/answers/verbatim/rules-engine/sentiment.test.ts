import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readTexts, scoreOf } from '../../../../../bench/sentiment/score.ts'
import { sentimentOf } from './sentiment.ts'

describe('offline sentiment', () => {
  test.each(['en', 'de', 'es'])('in %s reaches a macro-F1 of 0.65 on texts that no rule was made from', (language) => {
    const file = new URL(`../../../../../bench/sentiment/${language}.tsv`, import.meta.url)
    const texts = readTexts(readFileSync(file, 'utf8'))
    expect(texts.length).toBeGreaterThanOrEqual(300)
    const judged = texts.map(({ label, text }) => ({ truth: label, guess: sentimentOf(text, language).label }))
    expect(scoreOf(judged).macroF1).toBeGreaterThanOrEqual(0.65)
  })

  test.each([
    ['en', 'not bad', 'positive'],
    ['en', 'not good', 'negative'],
    ['en', 'Great, another delay', 'negative'],
    ['de', 'gefällt mir nicht', 'negative'],
    ['de', 'kein Problem', 'positive'],
    ['es', 'no funciona', 'negative'],
    ['es', 'nada mal', 'positive'],
    ['fr', 'le train 👎', 'negative'],
    ['fr', 'le train', 'neutral'],
  ])('knows negation, irony and emoji: %s %s', (language, text, label) => {
    expect(sentimentOf(text, language).label).toBe(label)
  })

  test('of 100,000 characters takes a bounded number of words, and stays between -1 and 1', () => {
    const { score } = sentimentOf('terrible '.repeat(12_000), 'en')
    expect(score).toBeGreaterThanOrEqual(-1)
    expect(score).toBeLessThan(-0.9)
  })
})
