import type { ReadTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import { mapInSlices } from '../../../platform/loop/turns.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { LocalizedText, Question, SurveyDefinition } from '../../../survey-engine/model/definition.ts'
import { withDefinitions } from './definitions.service.ts'
import { knownDefinition, readDefinition } from './published-surveys.service.ts'
import * as store from './surveys.store.ts'

/** A version that words a question otherwise than the one before. */
export interface Rewording {
  version: number
  published_at: Date
}

/** Older ones are not looked at: each version may have 300 KB. */
const MOST_VERSIONS = 10

/** The versions since a moment that may word a question otherwise, the newest first. */
export function listRewritten(tx: ReadTx, id: Id<'survey'>, since: Date): Promise<Rewording[]> {
  return store.listPublishedSince(tx, id, since, MOST_VERSIONS)
}

/**
 * The newest of these versions that words each question, or a choice of it, otherwise than the one before. Call it
 * outside of a transaction, because it may wait.
 */
export async function readRewordings(
  scope: Scope,
  id: Id<'survey'>,
  versions: Rewording[],
): Promise<Map<string, Rewording>> {
  const found = new Map<string, Rewording>()
  for (const rewording of versions)
    await withPair(scope, id, rewording.version, async (now, before) => {
      const earlier = new Map(before.questions.map((question) => [question.id, question]))
      await mapInSlices(now.questions, (question) => {
        const old = earlier.get(question.id)
        const languages: [string, string] = [before.default_language, now.default_language]
        if (old && !found.has(question.id) && isReworded(old, question, languages)) found.set(question.id, rewording)
      })
    })
  return found
}

async function withPair(
  scope: Scope,
  id: Id<'survey'>,
  version: number,
  see: (now: SurveyDefinition, before: SurveyDefinition) => Promise<void>,
): Promise<void> {
  const [known, knownBefore] = [knownDefinition(scope, id, version), knownDefinition(scope, id, version - 1)]
  if (known && knownBefore) return see(known, knownBefore)
  return withDefinitions(scope, async () => {
    const pair = await scope.read(async (tx) => ({
      now: await readDefinition(scope, tx, id, version),
      before: await readDefinition(scope, tx, id, version - 1),
    }))
    await see(pair.now, pair.before)
  })
}

function isReworded(before: Question, after: Question, [oldLanguage, language]: [string, string]): boolean {
  const old = wordsOf(before)
  return [...wordsOf(after)].some(([part, text]) => {
    const earlier = old.get(part)
    if (earlier === undefined) return false
    const [one, other] = [inLanguages(earlier, oldLanguage), inLanguages(text, language)]
    // A translation that is new changes no word that somebody read.
    return Object.entries(other).some(([tag, words]) => one[tag] !== undefined && one[tag] !== words)
  })
}

function inLanguages(text: LocalizedText, language: string): Record<string, string> {
  return typeof text === 'string' ? { [language]: text } : text
}

/** The texts that an answer answers, by the part that has them. */
function wordsOf(question: Question): Map<string, LocalizedText> {
  const { title, low_label, high_label, choices, rows, columns } = question as Question & Partial<Parts>
  const named = { title, low_label, high_label }
  const labelled = { choices, rows, columns }
  return new Map([
    ...Object.entries(named).flatMap(([part, text]) => (text === undefined ? [] : [[part, text] as const])),
    ...Object.entries(labelled).flatMap(([part, lines = []]) =>
      lines.map(({ id, label }) => [`${part}.${id}`, label] as const),
    ),
  ])
}

interface Parts {
  low_label: LocalizedText
  high_label: LocalizedText
  choices: Labelled[]
  rows: Labelled[]
  columns: Labelled[]
}

interface Labelled {
  id: string
  label: LocalizedText
}
