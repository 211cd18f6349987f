import type { ExternalCopy, ResidualMention, Person, PersonalStore, StoreName } from '../../../platform/personal.ts'
import type { KINDS, STATUSES } from './requests.schema.ts'

/**
 *     searching ──▶ ready ──▶ running ──▶ cleaning ──▶ completed
 *         │           │          └───────────────────────▲   An archive needs no cleaning.
 *         └───────────┴──▶ cancelled                          A dry run stays ready. Too many failures end as failed.
 */
export type RequestStatus = (typeof STATUSES)[number]
export type RequestKind = (typeof KINDS)[number]
export type Counts = Partial<Record<StoreName, number>>

export interface Certificate {
  request_id: string
  error?: Failure
  erased: Counts
  external: ExternalCopy[]
  /** Absent in a request that failed. */
  left?: ResidualMention[]
  re_import_blocked: true
  completed_at: string
}

/** Why a request ended without success. Of an erasure, with what had happened until then. */
export interface Failure {
  code: string
  detail: string
}

/** The sealed part of a request. The rows that it found stand beside it, in pieces, with the person's lists of ids. */
export interface Plan {
  reason: string | null
  person: Person
  external: ExternalCopy[]
  /** How many further searches have found something, since the erasure began or last waited. */
  rounds: number
  /** A search that goes on in the next turn. */
  search?: Searching
  /** The last search found nothing, but took more than one moment. */
  foundNothing?: boolean
  /** Rows that the last search found are erased, and no search follows. */
  isLast?: boolean
}

/** The lists of a person that may be long. They stand in pieces. */
export const LISTS = ['responseIds', 'mentionedIn'] as const
export type Lengths = Record<(typeof LISTS)[number], number>

/** Where a search stands between two turns. The plan's person has grown since the round began. */
export interface Searching {
  round: number
  /** The store that is next, by `keyOf`, and where its lists go on. */
  place: string
  cursor: Cursor | null
  /** The person at the beginning of the round. The lists had these lengths. */
  person: Person
  lengths: Lengths
  counts: Counts
  total: number
  /** It found rows that the erasure has to wait for. */
  waits: boolean
}

/** The lists of one `find`: those that ended, and the last row of the list that was stopped. */
export interface Cursor {
  ended: string[]
  of: string
  after: string
}

export function lengthsOf({ responseIds, mentionedIn }: Person): Lengths {
  return { responseIds: responseIds.length, mentionedIn: mentionedIn.length }
}

/** Two features may keep parts of one store, each in its own table. */
export function keyOf({ store, table }: Pick<PersonalStore, 'store' | 'table'>): string {
  return `${store} ${table}`
}

/** One month later, at the end of a shorter month if that has no such day. */
export function monthAfter(moment: Date): Date {
  const later = new Date(moment)
  later.setUTCMonth(later.getUTCMonth() + 1)
  if (later.getUTCDate() !== moment.getUTCDate()) later.setUTCDate(0)
  return later
}

export function sumOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

/** Every store that was searched, with what is erased of it. */
export function withZeros(counts: Counts, erased: Counts): Counts {
  return { ...Object.fromEntries(Object.keys(counts).map((name) => [name, 0])), ...erased }
}
