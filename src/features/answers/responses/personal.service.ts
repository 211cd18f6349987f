import { SEND_CHANNELS } from '../../../platform/ports/provider.ts'
import { formatId, type Id } from '../../../platform/ids.ts'
import type { ReadTx, TenantTx } from '../../../platform/database/database.ts'
import {
  keysOfResponses,
  responsesOf,
  rowOf,
  splitKeys,
  wordsKey,
  type Person,
  type PersonalData,
  type Scan,
} from '../../../platform/personal.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { SurveyDefinition } from '../../../survey-engine/model/definition.ts'
import { localize } from '../../../survey-engine/model/text.ts'
import { readDefinition } from '../../surveys/surveys/published-surveys.service.ts'
import { forgetContacts, forgetWords, mentions, scanMentions } from '../../trust/data-protection/contacts.service.ts'
import { forgetRecorded } from '../reporting/rollups/rollups.service.ts'
import { responses } from '../rows/response.entity.ts'
import { memberTextsOf, respondentTextsOf, textsOf } from './recording.service.ts'
import * as store from './personal.store.ts'

// Rows with their texts, which may be long.
const PAGE = 20
/** Ids in one statement. */
const PART = 1_000
const INVITED: readonly string[] = SEND_CHANNELS

/** Answers, texts, custom data and notes. The score stays and is counted, without the person. */
export const personal: PersonalData = {
  listResponses: async (tx, ids) => (await store.listRows(tx, ids)).map(({ id }) => id),
  listAnonymous: async (tx, ids) => (await store.listRows(tx, ids)).flatMap((row) => (row.anonymity ? row.id : [])),
  stores: [
    {
      store: 'notes',
      table: 'responses',
      columns: ['notes'],
      async find(scope, tx, person, { scan }) {
        const words = await findWords(scope, tx, person, scan)
        const whole = await keysOfResponses({ scan }, 'noted', person, (ids) => store.listWithNotes(tx, ids))
        return { keys: [...whole, ...words] }
      },
      async erase(scope, tx, keys) {
        const { whole, words } = splitKeys(keys)
        return (await store.eraseNotes(tx, whole)) + (await eraseWords(scope, tx, words))
      },
      portable: false,
      async export(_scope, tx, keys, person) {
        const given = new Set<string>(person.responseIds)
        const records = []
        for (const { id, notes } of await store.listRows(tx, keys.map(rowOf)))
          for (const { text, created_at } of notes)
            if (given.has(id) || (await mentions(person, [text])))
              records.push({ response_id: formatId('response', id), text, created_at })
        return records
      },
    },
    {
      store: 'responses',
      table: 'responses',
      columns: [...responses.personal.filter((name) => name !== 'notes'), 'typed_contacts.hash'],
      async find(scope, tx, person, { scan }) {
        const invited = await store.listOfPeople(tx, person.personIds)
        const typed = await findTyped(scope, tx, person, { known: new Set([...person.responseIds, ...invited]), scan })
        const given = [...invited, ...typed.given]
        const listed = (ids: string[]) => store.listUnerased(tx, ids)
        const rows = await keysOfResponses({ scan }, 'responses known', person, listed)
        const found = [...given, ...typed.mentionedIn]
        for (let at = 0; at < found.length; at += PART) rows.push(...(await listed(found.slice(at, at + PART))))
        return {
          keys: [...new Set(rows.map(({ id }) => id))],
          uncounted: [...new Set(rows.flatMap(({ id, is_anonymous }) => (is_anonymous ? id : [])))],
          responseIds: given,
          mentionedIn: typed.mentionedIn,
        }
      },
      async erase(scope, tx, keys) {
        const erased = await store.eraseResponses(tx, keys, scope.clock.now())
        for (const [surveyId, rows] of Map.groupBy(erased, (row) => row.survey_id))
          await forgetRecorded(
            tx,
            surveyId,
            rows.map((row) => row.recorded_at),
          )
        await forgetContacts(tx, keys)
        return erased.filter((row) => !row.is_anonymous).length
      },
      export: exportResponses,
    },
  ],
}

/** Responses in which somebody typed an address of the person: as their own contact, or in passing. */
async function findTyped(
  scope: Scope,
  tx: ReadTx,
  person: Person,
  looking: { known: Set<string>; scan: Scan },
): Promise<{ given: Id<'response'>[]; mentionedIn: Id<'response'>[] }> {
  const found: Awaited<ReturnType<typeof findTyped>> = { given: [], mentionedIn: [] }
  for await (const row of candidates(scope, tx, person, looking)) {
    if (await mentions(person, contactsOf(row))) found.given.push(row.id)
    else if (await mentions(person, respondentTextsOf(row))) found.mentionedIn.push(row.id)
  }
  return found
}

/** The addresses that a respondent left as theirs. An invited response belongs to whom it was sent to. */
function contactsOf({ text, channel, person_id }: store.PersonalResponse): string[] {
  if (person_id !== null || INVITED.includes(channel)) return []
  return text.flatMap(({ value }) =>
    typeof value === 'string' ? [] : [value['email'], value['phone']].filter((each) => each !== undefined),
  )
}

/** Comments of members on responses of others that name the person. */
async function findWords(scope: Scope, tx: ReadTx, person: Person, scan: Scan): Promise<string[]> {
  const found: string[] = []
  for await (const row of candidates(scope, tx, person, { known: new Set(responsesOf(person)), scan }))
    for (const text of memberTextsOf(row)) if (await mentions(person, [text])) found.push(wordsKey(row.id, text))
  return found
}

async function* candidates(
  scope: Scope,
  tx: ReadTx,
  person: Person,
  { known, scan }: { known: Set<string>; scan: Scan },
): AsyncGenerator<store.PersonalResponse> {
  for await (const part of scanMentions(scope, tx, person, { scan, of: 'responses', size: PAGE })) {
    const ids = part.filter((id) => !known.has(id))
    if (ids.length > 0) yield* await store.listRows(tx, ids)
  }
}

async function eraseWords(scope: Scope, tx: TenantTx, words: ReturnType<typeof splitKeys>['words']): Promise<number> {
  let erased = 0
  for (const row of await store.lockRows(tx, [...words.keys()])) {
    const isErased = words.get(row.id) ?? (() => false)
    const gone = memberTextsOf(row).filter(isErased)
    if (gone.length === 0) continue
    const kept = {
      ...row,
      notes: row.notes.filter(({ text }) => !isErased(text)),
      tags: row.tags.filter((tag) => !isErased(tag)),
    }
    await store.keepWords(tx, kept, scope.clock.now())
    await forgetWords(scope, tx, row.id, { gone, kept: textsOf(kept) })
    await forgetRecorded(tx, row.survey_id, [row.recorded_at])
    erased += 1
  }
  return erased
}

async function exportResponses(scope: Scope, tx: ReadTx, keys: string[], person: Person): Promise<object[]> {
  const records = []
  const given = new Set<string>(person.responseIds)
  for (const row of await store.listRows(tx, keys)) {
    // One response to an anonymous survey is read by nobody, not even as words in passing.
    if (row.anonymity) continue
    if (!given.has(row.id)) {
      // Somebody else gave it, so the person reads only the words that name them.
      records.push({ id: formatId('response', row.id), mentions: await textsThatMention(person, row) })
      continue
    }
    const definition = await readDefinition(scope, tx, row.survey_id, row.survey_version)
    const titles = titlesOf(definition, row.language)
    const titled = ({ question_id, value }: { question_id: string; value: unknown }) => ({
      question: titles.get(question_id) ?? question_id,
      question_id,
      value,
    })
    records.push({
      ...responses.archive(row),
      score: row.score === null ? null : { metric: row.metric, value: row.score },
      answers: row.answers.map(titled),
      text: row.text.map(titled),
    })
  }
  return records
}

async function textsThatMention(person: Person, row: store.PersonalResponse): Promise<string[]> {
  const texts: string[] = []
  for (const text of respondentTextsOf(row)) if (await mentions(person, [text])) texts.push(text)
  return texts
}

function titlesOf(definition: SurveyDefinition, language: string): Map<string, string> {
  return new Map(
    definition.questions.map(({ id, title }) => [id, localize(title, language, definition.default_language)]),
  )
}
