import type { ReadTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import { mapInSlices } from '../../../platform/loop/turns.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { LocalizedText, Question } from '../../../survey-engine/model/definition.ts'
import { readDefinition } from './published-surveys.service.ts'
import * as store from './surveys.store.ts'

/** A version that words a question otherwise than the one before. */
export interface Rewording {
  version: number
  publishedAt: Date
}

/** Older ones are not looked at: each version may have 300 KB. */
const MOST_VERSIONS = 10

/** The newest version since a moment that words each question, or a choice of it, otherwise than the one before. */
export async function readRewordings(
  scope: Scope,
  tx: ReadTx,
  id: Id<'survey'>,
  since: Date,
): Promise<Map<string, Rewording>> {
  const found = new Map<string, Rewording>()
  for (const { version, published_at: publishedAt } of await store.listPublishedSince(tx, id, since, MOST_VERSIONS)) {
    const { questions, default_language: language } = await readDefinition(scope, tx, id, version)
    const before = await readDefinition(scope, tx, id, version - 1)
    const earlier = new Map(before.questions.map((question) => [question.id, question]))
    await mapInSlices(questions, (question) => {
      const old = earlier.get(question.id)
      if (old && !found.has(question.id) && isReworded(old, question, [before.default_language, language]))
        found.set(question.id, { version, publishedAt })
    })
  }
  return found
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
