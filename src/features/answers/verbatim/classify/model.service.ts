import { isDeepStrictEqual } from 'node:util'
import { AiError } from '../../../../platform/ports/ai-port.ts'
import type { TenantTx } from '../../../../platform/database/database.ts'
import { listDueTenants, untilNoneIsDue } from '../../../../platform/work/due-tenants.ts'
import type { Id, TenantId } from '../../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../../platform/scope.ts'
import type { SweepOptions } from '../../../../platform/work/sweeps.ts'
import { readsWithAi } from '../../../access/workspaces/org.service.ts'
import { shareResponses } from '../../responses/responses.service.ts'
import { CLASSIFIED } from '../../../../platform/work/listeners.ts'
import { tellable } from './classify.service.ts'
import { LABELLING, labelPrompt, soundWords, type ModelWord } from './prompt.ts'
import * as store from './model.store.ts'
import { readClassifiable, type ResponseTexts } from './texts.service.ts'
import { listAllTopics, type TopicRow } from '../topics/topics.store.ts'
import type { VerbatimRow } from '../verbatim.entity.ts'
import type { VerbatimKey } from '../verbatim-rows.ts'
import * as texts from '../verbatim.store.ts'

// With at most 600 characters of each text, a request carries less than 8,000.
const BATCH = 12
const MODEL_MS = 15_000
const LEASE_MS = 60_000
const MINUTE_MS = 60_000
const DROPPED_AT_ONCE = 1_000
// A model says no confidence.
const CONFIDENCE = 0.9

/**
 * Asks the language model about texts that only the rules have read. A workspace without an answer is left alone until
 * the next run. Returns the number of texts.
 */
export async function askAboutTexts(system: SystemScope, options: SweepOptions): Promise<number> {
  if (!system.ports.ai.isConfigured) return 0
  const failed = new Set<TenantId>()
  const list = (after: TenantId | null) => listDueTenants(system, store.dueUnread(system.clock.now()), after)
  return untilNoneIsDue(options, list, async (tenantId) => {
    if (failed.has(tenantId)) return 0
    const done = await readBatch(system.tenant(tenantId, { type: 'system' }), options.signal)
    if (done === null) failed.add(tenantId)
    return done ?? 0
  })
}

/** A text and the response that it was read from. */
interface Read extends VerbatimKey {
  row: ResponseTexts['row']
  text: string
}

/** Null without a usable answer. No transaction is open while the model is asked. */
async function readBatch(scope: Scope, signal: AbortSignal): Promise<number | null> {
  const now = scope.clock.now()
  if (!(await readsWithAi(scope))) return scope.tx((tx) => store.dropUnread(tx, now, DROPPED_AT_ONCE))
  const until = new Date(now.getTime() + LEASE_MS)
  const claimed = await scope.tx((tx) => store.claimUnread(tx, now, until, BATCH))
  if (claimed.length === 0) return 0
  const { read, topics } = await scope.read(async (tx) => ({
    read: textsOf(claimed, await readClassifiable(scope, tx, responsesOf(claimed))),
    topics: (await listAllTopics(tx)).filter(({ enabled }) => enabled),
  }))
  const words = read.length === 0 ? new Map<number, ModelWord>() : await ask(scope, read, topics, signal)
  // A process that ends says nothing of the model: the lease runs out, and another asks again.
  if (signal.aborted && !words) return null
  if (!words) {
    const inMinutes = (minutes: number) => new Date(scope.clock.now().getTime() + minutes * MINUTE_MS)
    await scope.tx((tx) => store.putOff(tx, claimed, until, [inMinutes(1), inMinutes(10), inMinutes(60)]))
    return null
  }
  await scope.tx((tx) => record(scope, tx, { claimed, until, read, words, topics }))
  return claimed.length
}

// Nothing of the texts reaches the log.
async function ask(
  scope: Scope,
  read: Read[],
  topics: TopicRow[],
  signal: AbortSignal,
): Promise<Map<number, ModelWord> | null> {
  const user = labelPrompt(
    read.map(({ text }) => text),
    topics.map(({ name }) => name),
  )
  try {
    const reply = await scope.ports.ai.complete({ system: LABELLING, user, timeoutMs: MODEL_MS, signal })
    const words = soundWords(reply, read.length)
    if (!words) scope.log.warn('the language model gave no list; the rules classify these texts until the next try')
    return words
  } catch (error) {
    if (!(error instanceof AiError)) throw error
    scope.log.warn({ reason: error.reason }, 'the language model gave no answer; the rules classify these texts')
    return null
  }
}

interface Answered {
  claimed: VerbatimKey[]
  until: Date
  read: Read[]
  words: Map<number, ModelWord>
  topics: TopicRow[]
}

/** Stores words about texts that are still what the model read. The words of a person stay. */
async function record(scope: Scope, tx: TenantTx, { claimed, until, read, words, topics }: Answered): Promise<void> {
  const now = new Map((await shareResponses(tx, responsesOf(claimed))).map((row) => [row.id, row]))
  const rows: VerbatimRow[] = []
  const retold: VerbatimRow[] = []
  const chosen = new Map<VerbatimRow, texts.TextTopic[]>()
  for (const locked of await texts.lockOfResponses(tx, responsesOf(claimed))) {
    // Another time than the claim's: it was classified or claimed since.
    if (locked.model_at?.getTime() !== until.getTime()) continue
    const at = read.findIndex((given) => isSame(given, locked))
    const [given, word] = [read[at], words.get(at)]
    const current = now.get(locked.response_id)
    const isSound =
      current?.state === 'completed' && !current.erased_at && isDeepStrictEqual(current.text, given?.row.text)
    const row = { ...locked, model_at: null, ...(word && isSound && feeling(locked, word)) }
    rows.push(row)
    if (!word || !isSound) continue
    const named = locked.topics_by_person ? null : topicsOf(row, word, topics)
    if (named) chosen.set(row, named)
    if (row.model_tells) retold.push(row)
  }
  if (rows.length > 0) await texts.upsertTexts(tx, rows, scope.clock.now())
  if (chosen.size > 0) await store.deleteTopicsOfTexts(tx, [...chosen.keys()])
  const found = [...chosen.values()].flat()
  if (found.length > 0) await texts.insertTopics(tx, found)
  if (retold.length === 0) return
  const all = await texts.listTopicsOf(tx, responsesOf(retold))
  const told = retold.map((row) => tellable(row, all))
  await scope.signals.emit(CLASSIFIED, scope, tx, { texts: told, responses: responsesOf(retold) })
}

function feeling(row: VerbatimRow, { sentiment, score }: ModelWord): Partial<VerbatimRow> {
  return row.sentiment_source === 'person' ? {} : { sentiment, sentiment_score: score, sentiment_source: 'model' }
}

/** Topics of the workspace that a word names and that are looked for in the survey. Null: those of the rules stay. */
function topicsOf(row: VerbatimRow, { topics: names }: ModelWord, topics: TopicRow[]): texts.TextTopic[] | null {
  if (!names) return null
  const { response_id, question_id, survey_id } = row
  const known = topics.filter(
    ({ name, survey_ids }) => names.includes(name) && (survey_ids.length === 0 || survey_ids.includes(survey_id)),
  )
  if (names.length > 0 && known.length === 0) return null
  return known.map(({ id }) => ({ response_id, question_id, topic_id: id, confidence: CONFIDENCE, source: 'model' }))
}

function textsOf(claimed: VerbatimKey[], responses: ResponseTexts[]): Read[] {
  return responses
    .flatMap(({ row, texts: given }) =>
      given.map(({ questionId, text }) => ({ response_id: row.id, question_id: questionId, row, text })),
    )
    .filter((text) => claimed.some((key) => isSame(key, text)))
}

function responsesOf(keys: VerbatimKey[]): Id<'response'>[] {
  return [...new Set(keys.map((key) => key.response_id))]
}

function isSame(a: VerbatimKey, b: VerbatimKey): boolean {
  return a.response_id === b.response_id && a.question_id === b.question_id
}
