import type { z } from 'zod'
import { EVERY } from '../../../../platform/fields/counting.ts'
import { compileFilter } from '../../../../platform/filter/compile.ts'
import type { Filter } from '../../../../platform/filter/grammar.ts'
import { formatId } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { classifyTexts } from '../rules-engine/classify-thread.ts'
import type { PreviewTopic, TopicPreview } from '../topics/topics.schema.ts'
import { readSurveys } from '../topics/topics.service.ts'
import { OF_TEXT } from '../verbatim-rows.ts'
import { listKeys, readTexts, type ListedText } from './list.store.ts'
import { presentAll } from './verbatim.service.ts'

const MOST_TEXTS = 10_000
const AT_ONCE = 1_000
const MOST_SAMPLE = 10
const MOST_MS = 4_000
const TOPIC = 'preview'

/** Finds the texts that a topic of these keywords would have. @throws Problem 422 `unknown_survey` */
export async function previewTopic(
  scope: Scope,
  { keywords, survey_ids }: z.output<typeof PreviewTopic>,
): Promise<z.input<typeof TopicPreview>> {
  const ids = await scope.read((tx) => readSurveys(tx, survey_ids))
  const value = ids.map((id) => formatId('survey', id))
  const filter: Filter = ids.length === 0 ? { all: [] } : { all: [{ field: 'survey_id', op: 'one_of', value }] }
  const words = [{ id: TOPIC, keywords, surveyIds: [] }]
  const begunAt = performance.now()
  const found: ListedText[] = []
  let [count, read] = [0, 0]
  let after: ListedText | undefined
  for (;;) {
    const { rows, isAll } = await readNext(scope, filter, after)
    const classified = await classifyTexts(scope.tenantId, words, rows.map(givenOf))
    for (const [at, { topics }] of classified.entries()) {
      const row = rows[at]
      if (topics.length === 0 || !row) continue
      count += 1
      if (found.length < MOST_SAMPLE) found.push(row)
    }
    read += rows.length
    after = rows.at(-1)
    if (!isAll && read < MOST_TEXTS && performance.now() - begunAt < MOST_MS) continue
    const sample = await scope.read((tx) => presentAll(tx, found))
    return { count: { n: count, exact: isAll }, of: { n: read, exact: isAll }, sample }
  }
}

/** The next texts, as many as fit, and whether none follow. */
async function readNext(
  scope: Scope,
  filter: Filter,
  after: ListedText | undefined,
): Promise<{ rows: ListedText[]; isAll: boolean }> {
  return scope.read(async (tx) => {
    const keys = await listKeys(tx, {
      sort: 'newest',
      after: after ? { ...after, sentiment: after.sentiment_score } : null,
      limit: AT_ONCE,
      condition: await compileFilter('responses', filter, {
        tx,
        alias: OF_TEXT,
        now: scope.clock.now(),
        asker: scope.principal,
      }),
      leads: [{ rows: null, condition: EVERY }],
    })
    const rows = await readTexts(tx, keys.slice(0, AT_ONCE))
    return { rows, isAll: rows.length === keys.length }
  })
}

function givenOf({ texts, question_id, survey_id, language }: ListedText) {
  const text = String(texts.find((each) => each.question_id === question_id)?.value ?? '')
  return { text, surveyId: survey_id, expected: language, languages: [language], language }
}
