import { readFileSync } from 'node:fs'
import { createClassifier } from '../src/features/answers/verbatim/rules-engine/classifier.ts'
import { STARTER_TOPICS } from '../src/features/answers/verbatim/topics/starter-topics.ts'
import { tableOf, readTexts, scoreOf, type Judged } from './sentiment/score.ts'

// npm run bench:sentiment [tuning] [misses]: quality and speed of the offline classification.
const isTuning = process.argv.includes('tuning')
const topics = STARTER_TOPICS.map(({ name, keywords }) => ({ id: name, keywords, surveyIds: [] }))
const classify = createClassifier(topics)
const all: string[] = []
for (const language of ['en', 'de', 'es']) {
  const texts = readTexts(
    readFileSync(new URL(`./sentiment/${isTuning ? 'tuning-' : ''}${language}.tsv`, import.meta.url), 'utf8'),
  )
  let right = 0
  const judged: Judged[] = texts.map(({ label, text }) => {
    const result = classify({ text, surveyId: '', expected: 'en', languages: [], language })
    if (
      classify({ text, surveyId: '', expected: language, languages: ['en', 'de', 'es'], language: null }).language ===
      language
    )
      right += 1
    all.push(text)
    if (process.argv.includes('misses') && isTuning && result.sentiment.label !== label)
      say(`  ${label} → ${result.sentiment.label} ${result.sentiment.score}: ${text}`)
    return { truth: label, guess: result.sentiment.label }
  })
  const { macroF1 } = scoreOf(judged)
  say(
    `\n${language}: ${texts.length} texts, macro-F1 ${macroF1.toFixed(3)}, language right ${((right / texts.length) * 100).toFixed(1)} %`,
  )
  say(tableOf(judged))
}

const COUNT = 20_000
const started = performance.now()
for (let at = 0; at < COUNT; at += 1)
  classify({
    text: all[at % all.length] ?? '',
    surveyId: '',
    expected: 'en',
    languages: ['en', 'de', 'es'],
    language: null,
  })
const perSecond = Math.round(COUNT / ((performance.now() - started) / 1000))
say(
  `\nclassifying whole (language, sentiment, topics, words): ${perSecond.toLocaleString('en')} texts a second on one thread; limit 2,000`,
)
if (perSecond < 2_000) process.exitCode = 1

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
