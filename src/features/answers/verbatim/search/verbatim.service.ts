import type { z } from 'zod'
import { notFound, unprocessable } from '../../../../http/problems/problem.ts'
import { auditOf } from '../../../../platform/audit.ts'
import type { ReadTx, TenantTx } from '../../../../platform/database/database.ts'
import { formatId, parseId, type Id } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { SCORE_OF_LABEL, type VerbatimKey } from '../verbatim-rows.ts'
import type { ListedText } from './list.store.ts'
import { listAllTopics } from '../topics/topics.store.ts'
import type { VerbatimRow } from '../verbatim.entity.ts'
import type { UpdateVerbatim, Verbatim } from '../verbatim.schema.ts'
import * as store from '../verbatim.store.ts'
import { reindexText, wordsOfText } from './reindex.service.ts'
import { readClassifiable } from '../classify/texts.service.ts'
import { recordChanged } from '../../../../platform/changes/changes.ts'

const audited = auditOf('response')

export type Presented = z.input<typeof Verbatim>

/**
 * Corrects what is known of a text. It stays, whatever is classified later.
 * @throws Problem 404, 422 for an unknown topic, 503 if too many texts wait.
 */
export async function updateVerbatim(
  scope: Scope,
  key: VerbatimKey,
  body: z.output<typeof UpdateVerbatim>,
): Promise<Presented> {
  const indexed = body.language === undefined ? null : await wordsOfText(scope, key, body.language)
  return scope.tx(async (tx) => {
    const before = await store.lockText(tx, key)
    if (!before) throw notFound('response')
    const row: VerbatimRow = {
      ...before,
      ...(body.language !== undefined && { language: body.language, language_source: 'person' as const }),
      ...(body.sentiment !== undefined && {
        sentiment: body.sentiment,
        sentiment_score: SCORE_OF_LABEL[body.sentiment],
        sentiment_source: 'person' as const,
      }),
      topics_by_person: before.topics_by_person || body.topics !== undefined,
    }
    // Nothing is left for the language model to say.
    if (row.sentiment_source === 'person' && row.topics_by_person) row.model_at = null
    const topics = body.topics && (await readTopicIds(tx, body.topics))
    const changes = [
      ...(body.language === undefined ? [] : [{ path: 'language', from: before.language, to: row.language }]),
      ...(body.sentiment === undefined ? [] : [{ path: 'sentiment', from: before.sentiment, to: row.sentiment }]),
      ...(topics === undefined ? [] : [{ path: 'topics', to: topics.map((id) => formatId('topic', id)) }]),
    ]
    await store.upsertTexts(tx, [row], scope.clock.now())
    if (topics) {
      await store.deleteTopicsOf(tx, key)
      const chosen = topics.map((topic_id) => ({ ...key, topic_id, confidence: 1, source: 'person' as const }))
      if (chosen.length > 0) await store.insertTopics(tx, chosen)
    }
    const [response] = await readClassifiable(scope, tx, [key.response_id])
    const text = response?.texts.find(({ questionId }) => questionId === key.question_id)
    if (!response || !text) throw notFound('response')
    if (indexed && body.language !== before.language) await reindexText(scope, tx, key, text.text, indexed)
    if (changes.length > 0) {
      audited(scope, tx, 'correct_text', key.response_id, { changes })
      recordChanged(scope, tx, 'verbatim', 'updated', 'response', [key.response_id], row.survey_id)
    }
    const { band, score, agent_id, tags, text: texts } = response.row
    const [presented] = await presentAll(tx, [{ ...row, band, score, agent_id, tags, texts }])
    if (!presented) throw notFound('response')
    return presented
  })
}

async function readTopicIds(tx: TenantTx, texts: string[]): Promise<Id<'topic'>[]> {
  const known = new Set((await listAllTopics(tx)).map(({ id }) => id))
  const ids = texts.map((text) => parseId('topic', text))
  const issues = ids.flatMap((id, at) =>
    id !== null && known.has(id)
      ? []
      : [{ path: `topics.${at}`, message: 'There is no such topic in this workspace.' }],
  )
  if (issues.length > 0) throw unprocessable('unknown_topic', issues)
  return [...new Set(ids.filter((id) => id !== null))]
}

/** Texts as the API shows them. @internal */
export async function presentAll(tx: ReadTx, rows: ListedText[]): Promise<Presented[]> {
  const names = new Map((await listAllTopics(tx)).map(({ id, name }) => [id, name]))
  const topics = Map.groupBy(
    rows.length === 0 ? [] : await store.listTopicsOf(tx, [...new Set(rows.map((row) => row.response_id))]),
    (topic) => `${topic.response_id}/${topic.question_id}`,
  )
  return rows.map((row) => ({
    response_id: formatId('response', row.response_id),
    survey_id: formatId('survey', row.survey_id),
    question_id: row.question_id,
    text: String(row.texts.find((text) => text.question_id === row.question_id)?.value ?? ''),
    language: row.language,
    sentiment: { label: row.sentiment, score: rounded(row.sentiment_score), source: row.sentiment_source },
    topics: (topics.get(`${row.response_id}/${row.question_id}`) ?? []).flatMap(({ topic_id, confidence, source }) => {
      const name = names.get(topic_id)
      // A deleted topic stays on texts until they are classified again.
      return name === undefined
        ? []
        : [{ topic_id: formatId('topic', topic_id), name, confidence: rounded(confidence), source }]
    }),
    band: row.band,
    score: row.score,
    agent_id: row.agent_id && formatId('agent', row.agent_id),
    completed_at: row.completed_at.toISOString(),
    tags: row.tags,
  }))
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
