import { notFound, Problem } from '../../../../http/problems/problem.ts'
import type { TenantTx } from '../../../../platform/database/database.ts'
import { WorkFailedError } from '../../../../platform/loop/work-thread.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { markTexts } from '../classify/marks.service.ts'
import { readClassifiable } from '../classify/texts.service.ts'
import { classifyTexts } from '../rules-engine/classify-thread.ts'
import type { VerbatimKey } from '../verbatim-rows.ts'
import * as store from '../verbatim.store.ts'

export interface IndexedWords {
  /** The text that they are of. */
  text: string
  words: string[]
}

/**
 * The words of one text in their basic form in a language. They are found on another thread, so before a transaction.
 * @throws Problem 404, 503 if too many texts wait.
 */
export async function wordsOfText(scope: Scope, key: VerbatimKey, language: string): Promise<IndexedWords> {
  const [response] = await scope.read((tx) => readClassifiable(scope, tx, [key.response_id]))
  const text = response?.texts.find(({ questionId }) => questionId === key.question_id)?.text
  if (text === undefined) throw notFound('response')
  const given = { text, surveyId: '', expected: language, languages: [], language }
  const [found] = await classifyTexts(scope.tenantId, [], [given]).catch((error: unknown) => {
    if (!(error instanceof WorkFailedError)) throw error
    throw new Problem(503, 'busy', {
      detail: 'This server is reading other texts. Nothing was stored. Send it again in a moment.',
      retryAfter: 5,
    })
  })
  return { text, words: found?.words ?? [] }
}

/** Puts the words of a text into the index anew. A text that has changed since is classified again. */
export async function reindexText(
  scope: Scope,
  tx: TenantTx,
  key: VerbatimKey,
  text: string,
  indexed: IndexedWords,
): Promise<void> {
  if (indexed.text !== text) {
    markTexts(scope, tx, key.response_id)
    return
  }
  await store.deleteWordsOf(tx, key)
  await store.insertWords(
    tx,
    indexed.words.map((word) => ({ ...key, word })),
  )
}
