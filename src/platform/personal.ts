import { createHash } from 'node:crypto'
import type { ReadTx, TenantTx } from './database/database.ts'
import { parseId, type Id } from './ids.ts'
import { type Scope, signalOf } from './scope.ts'

/**
 * The stores of personal data, in the order of an archive: what programs read about them, and their headings for
 * people.
 */
export const STORES = {
  responses: { about: 'Answers, texts and custom data.', title: 'Your answers' },
  notes: { about: 'Notes that the organisation wrote.', title: 'Notes about your answers' },
  comments: { about: 'Comments of the organisation on alerts.', title: 'Comments on alerts about your answers' },
  alerts: { about: 'Alerts that an answer of the person opened.', title: 'Alerts about your answers' },
  verbatim: { about: 'What was found out about texts.', title: 'What was found out about your texts' },
  conversations: { about: 'Surveys by SMS and phone.', title: 'Surveys by SMS and phone' },
  sends: { about: 'Messages to the person.', title: 'Messages to you' },
  people: { about: 'The record of the person, for later surveys.', title: 'Your record' },
  leads: { about: 'Contact wishes of the person.', title: 'Your wish to be contacted' },
  events: { about: 'What happened, as it was told to other systems.', title: 'Events that other systems were told' },
  deliveries: { about: 'Which other systems were told, and what they answered.', title: 'Systems that were told' },
  idempotency_keys: {
    about: 'Answers of the API that are kept for a day, in case a caller asks again.',
    title: 'Answers of the API, kept for a day',
  },
  outbox: { about: 'Mail that waits to be sent.', title: 'Mail that waits to be sent' },
  invitations: { about: 'Invitations to work in the workspace.', title: 'Invitations to the workspace' },
  exports: {
    about: 'Exports of the workspace that hold something of the person.',
    title: 'Exports that hold your data',
  },
  reports: { about: 'Reports of the workspace that name the person.', title: 'Reports that name you' },
  archives: { about: 'Archives of earlier requests.', title: 'Earlier archives' },
} as const
export type StoreName = keyof typeof STORES

/** An address of a person. Null if only its keyed hash is known. */
export interface PersonAddress {
  kind: 'email' | 'phone'
  hash: string
  address: string | null
}

/** The person as known while their data is searched. It grows with each store that finds something. */
export interface Person {
  addresses: PersonAddress[]
  /** Responses that the person gave. */
  responseIds: Id<'response'>[]
  /** Responses in which somebody typed an address of the person. They lead to no further address. */
  mentionedIn: Id<'response'>[]
  /** Their records among the people of the workspace. */
  personIds: Id<'person'>[]
}

export interface Found {
  /** The keys of rows that still hold something of the person. */
  keys: string[]
  /** Those of them that belong to anonymous surveys. A count of these would say whether the person answered. */
  uncounted?: string[]
  /** More about the same person. */
  addresses?: PersonAddress[]
  responseIds?: Id<'response'>[]
  mentionedIn?: Id<'response'>[]
  personIds?: Id<'person'>[]
}

/** A copy that left the server, and which the other side has to erase. */
export interface ExternalCopy {
  kind: 'webhook' | 'export' | 'email' | 's3' | 'sms' | 'voice' | 'slack' | 'teams'
  target: string
  at: string
}

/** A place that still names the person when all rows are erased. */
export interface ResidualMention {
  place: string
  id: string
  reason: 'written_by_members' | 'file_not_removed'
}

/** Whether texts hold an address of the person, however it is spelled, and not just a part of a longer one. */
export type Mentions = (texts: string[]) => Promise<boolean>

/** Tables whose texts are in the index of typed contacts. */
export type TypedPlace = 'responses' | 'idempotency_keys' | 'report_runs'

/** Rows of a table whose texts may hold an address of the person, by the index, in order. `Mentions` decides. */
export type TypedIn = (place: TypedPlace) => Promise<string[]>

/**
 * Goes through a long list page by page, in the order of ids. When the turn of a search is over, the list ends after a
 * row. `find` is called again in a later turn, and the list goes on after that row.
 * @param of a name that no other list of the same `find` has.
 * @param size of a full page.
 */
export type Scan = <Row>(
  of: string,
  list: { page: (after: string | null) => Promise<Row[]>; size: number; idOf: (row: Row) => string },
) => AsyncIterable<Row>

/** The same for a list of ids in their order, in parts of a size. */
export async function* scanIds(scan: Scan, of: string, ids: string[], size: number): AsyncGenerator<string[]> {
  const idOf = (part: string[]) => part.at(-1) ?? ''
  const page = async (after: string | null) => {
    const from = after === null ? 0 : placeAfter(ids, after)
    return from < ids.length ? [ids.slice(from, from + size)] : []
  }
  yield* scan(of, { page, size: 1, idOf })
}

/** Where the ids after one begin. They are in order, and each turn asks, so it halves the list. */
function placeAfter(ids: string[], after: string): number {
  let [low, high] = [0, ids.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ids[middle] as string) > after) high = middle
    else low = middle + 1
  }
  return low
}

/** Ids in one statement. To write 80,000 takes 40 ms. */
const PART = 1_000

/**
 * Keys that a store has for responses of a person, those given before those that mention them. The lists of a person do
 * not change in a round, so a turn goes on at its place.
 * @param of as of `Scan`.
 */
export async function keysOfResponses<Key>(
  { scan }: Pick<Looking, 'scan'>,
  of: string,
  { responseIds, mentionedIn }: Person,
  list: (ids: Id<'response'>[]) => Promise<Key[]>,
): Promise<Key[]> {
  const keys = new Set<Key>()
  for (const [name, ids] of Object.entries({ given: responseIds, mentioned: mentionedIn })) {
    const page = async (after: string | null) => {
      const from = Number(after ?? 0)
      return from < ids.length ? [{ part: ids.slice(from, from + PART), end: String(from + PART) }] : []
    }
    for await (const { part } of scan(`${of} ${name}`, { page, size: 1, idOf: ({ end }) => end }))
      for (const key of await list(part)) keys.add(key)
  }
  return [...keys]
}

/** The means with which a store looks for a person. */
export interface Looking {
  mentions: Mentions
  typedIn: TypedIn
  scan: Scan
}

/** Personal data of one feature, declared beside its table. */
export interface PersonalStore {
  store: StoreName
  table: string
  /** The columns with personal data. A store may keep parts in more tables, as `table.column`. */
  columns: string[]
  find(scope: Scope, tx: ReadTx, person: Person, looking: Looking): Promise<Found>
  /** Erases rows and returns how many, without those of anonymous surveys. Erasing a row again does nothing. */
  erase(scope: Scope, tx: TenantTx, keys: string[]): Promise<number>
  /** The rows as the person may read them. Of a row that is somebody else's, they read the words that mention them. */
  export(scope: Scope, tx: ReadTx, keys: string[], person: Person, mentions: Mentions): Promise<object[]>
  /** False for what others wrote: a request for portability leaves it out. */
  portable?: false
  /** Running work may still need rows, so that `erase` leaves them. An erasure waits until none is found. */
  isAwaited?: true
  /**
   * For rows that are kept from what was read before. Waits until those that do not know yet that an erasure has ended
   * are committed. The erasure then searches this store once more.
   */
  awaitLate?(tx: TenantTx, now: Date): Promise<unknown>
  /** Copies of these rows that left the server. */
  listCopies?(scope: Scope, tx: ReadTx, keys: string[]): Promise<ExternalCopy[]>
}

/** The data protection parts of a feature. */
export interface PersonalData {
  stores?: PersonalStore[]
  /** Columns of tables without a store, which the erasure reaches in another way. */
  more?: Record<string, string[]>
  /** Keeps an erased person out from now on. */
  block?(scope: Scope, tx: TenantTx, person: Person): Promise<void>
  /** Which of these responses the workspace has. */
  listResponses?(tx: ReadTx, ids: Id<'response'>[]): Promise<Id<'response'>[]>
  /** Which of these responses belong to anonymous surveys. Nobody may ask for one. */
  listAnonymous?(tx: ReadTx, ids: Id<'response'>[]): Promise<Id<'response'>[]>
  /** The person whom the workspace knows by its own id. */
  findPerson?(tx: ReadTx, externalId: string): Promise<Id<'person'> | undefined>
  /** Files of `before` an erasure that are still being removed. It waits for them. */
  listGoing?(tx: ReadTx, before: Date): Promise<ResidualMention[]>
}

/** The key of words that mention a person, in a row that is somebody else's. It does not show them. */
export function wordsKey(id: string, words: string): string {
  return `${id}/${digestOf(words)}`
}

/** The row of a key. */
export function rowOf(key: string): string {
  return key.split('/')[0] ?? ''
}

/** Keys of whole rows, and those of words by their row. */
export function splitKeys(keys: string[]): { whole: string[]; words: Map<string, (text: string | null) => boolean> } {
  const parts = Map.groupBy(
    keys.filter((key) => key.includes('/')),
    rowOf,
  )
  const words = [...parts].map(([id, own]) => {
    const digests = new Set(own.map((key) => key.slice(id.length + 1)))
    return [id, (text: string | null) => text !== null && digests.has(digestOf(text))] as const
  })
  return { whole: keys.filter((key) => !key.includes('/')), words: new Map(words) }
}

function digestOf(words: string): string {
  return createHash('sha256').update(words).digest('base64url')
}

/** Every keyed hash of a person. */
export function hashesOf(person: Person): string[] {
  return person.addresses.map(({ hash }) => hash)
}

/** Every response that holds something of a person. */
export function responsesOf(person: Person): Id<'response'>[] {
  const all = new Set(person.responseIds)
  for (const id of person.mentionedIn) all.add(id)
  return [...all]
}

const NAMES = /\b(?:rsp|per)_[0-9a-z]{26}\b/g

/** Recognises texts that name a response or the record of a person by its id. */
export function namesOf(person: Person): (text: string) => boolean {
  const ids = new Set<string | null>([...responsesOf(person), ...person.personIds])
  return (text) => (text.match(NAMES) ?? []).some((name) => ids.has(uuidOf(name)))
}

/** The UUID of a response or a person. */
export function uuidOf(name: string): string | null {
  return parseId('response', name) ?? parseId('person', name)
}

/** Recognises events about responses that the person gave, by their source. */
export function isOf(person: Person): (event: { source: string | null }) => boolean {
  const given = new Set<string>(person.responseIds)
  return ({ source }) => source !== null && given.has(source.split(':')[1] ?? '')
}

const ESCAPES = /\\(?:u([0-9a-f]{4})|.)/gi

/** JSON as its reader sees it. A text may be cut anywhere, so it is not parsed. */
export function withoutEscapes(text: string): string {
  return text.replace(ESCAPES, (_, code?: string) => (code ? String.fromCharCode(Number.parseInt(code, 16)) : ' '))
}

/** A stored answer of the API, for repeats of its request: the parts that may be about people. */
export interface AnswerCopy {
  /** The id of the row that holds it. */
  id: string
  /** Before anything was read for it. */
  since: Date
  /** Texts that may hold an address or a number. */
  texts: string[]
  /** UUIDs of responses and people that it names. */
  named: string[]
}

/** An answer is stored for repeats of its request. A listener may throw `NotCopiedError`. */
export const ANSWER_COPIED = signalOf<AnswerCopy>('answer.copied')
/** The answer may show somebody who was erased since. It counts as lost. */
export class NotCopiedError extends Error {}
/** Stored answers are deleted or erased: their ids. */
export const ANSWERS_GONE = signalOf<string[]>('answers.removed')
