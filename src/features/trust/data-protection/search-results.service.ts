import { uuidv7 } from 'uuidv7'
import type { ReadTx, TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Person } from '../../../platform/personal.ts'
import type { Scope } from '../../../platform/scope.ts'
import { startSlices } from '../../../platform/loop/turns.ts'
import * as store from './search-results.store.ts'
import { LISTS, type Lengths } from './plan.ts'

/** So many rows are erased in one transaction. */
export const PIECE = 100
/** So many pieces are written or read at once. */
const PAGE = 100

export type SearchResults = Record<string, string[]>

/** Rows of one store that a request has found. */
export interface Piece {
  id: string
  place: string
  keys: string[]
}

/**
 * The pieces of a search, each sealed on its own.
 * @param kept how much of the person's lists has pieces already.
 */
export async function sealResults(
  scope: Scope,
  found: SearchResults,
  person: Person,
  kept: Lengths,
): Promise<store.PieceRow[]> {
  const slices = startSlices()
  const pieces: store.PieceRow[] = []
  const lists = LISTS.map((list): [string, string[]] => [list, person[list].slice(kept[list])])
  for (const [place, keys] of [...lists, ...Object.entries(found)])
    for (let at = 0; at < keys.length; at += PIECE) {
      if (slices.isOver()) await slices.next()
      const id = uuidv7()
      const sealed = scope.secrets.seal(JSON.stringify(keys.slice(at, at + PIECE)), contextOf(id))
      pieces.push({ id, place, sealed })
    }
  return pieces
}

/** Keeps what a search has found, beside what its earlier turns found or in place of what an earlier round found. */
export async function saveResults(
  tx: TenantTx,
  request: Id<'privacyRequest'>,
  { pieces, replaces }: { pieces: store.PieceRow[]; replaces: boolean },
): Promise<void> {
  if (replaces) await store.deletePieces(tx, request, LISTS)
  for (let at = 0; at < pieces.length; at += PAGE) await store.insertPieces(tx, request, pieces.slice(at, at + PAGE))
}

/** The pieces of a request, in the order in which they were found. */
export function piecesOf(scope: Scope, request: Id<'privacyRequest'>): AsyncGenerator<Piece> {
  return pieces(scope, (work) => scope.read(work), request, { isIn: false, names: LISTS })
}

/** The keys of one store that a search has kept. */
export async function keysAt(
  scope: Scope,
  tx: ReadTx,
  request: Id<'privacyRequest'>,
  place: string,
): Promise<Set<string>> {
  const known = new Set<string>()
  for await (const { keys } of pieces(scope, (work) => work(tx), request, { isIn: true, names: [place] }))
    for (const key of keys) known.add(key)
  return known
}

/** The person with the ids that the last search found, and how many of them have pieces. */
export async function withLists(
  scope: Scope,
  request: Id<'privacyRequest'>,
  person: Person,
): Promise<{ person: Person; kept: Lengths }> {
  const whole = { ...person, responseIds: [...person.responseIds], mentionedIn: [...person.mentionedIn] }
  const kept: Lengths = { responseIds: 0, mentionedIn: 0 }
  const places = { isIn: true, names: LISTS }
  for await (const { place, keys } of pieces(scope, (work) => scope.read(work), request, places)) {
    const list = place as keyof Lengths
    for (const id of keys as Id<'response'>[]) whole[list].push(id)
    kept[list] += keys.length
  }
  return { person: whole, kept }
}

/** The person as the request's own row keeps them. */
export function withoutLists(person: Person): Person {
  return { ...person, responseIds: [], mentionedIn: [] }
}

async function* pieces(
  scope: Scope,
  reading: <T>(work: (tx: ReadTx) => Promise<T>) => Promise<T>,
  request: Id<'privacyRequest'>,
  places: store.Places,
): AsyncGenerator<Piece> {
  const slices = startSlices()
  for (let after: string | null = null; ;) {
    const read: (tx: ReadTx) => Promise<store.PieceRow[]> = (tx) =>
      store.listPieces(tx, request, { places, after, limit: PAGE })
    const rows = await reading(read)
    for (const { id, place, sealed } of rows) {
      if (slices.isOver()) await slices.next()
      yield { id, place, keys: JSON.parse(scope.secrets.open(sealed, contextOf(id))) as string[] }
    }
    if (rows.length < PAGE) return
    after = rows.at(-1)?.id ?? null
  }
}

function contextOf(id: string): string {
  return `privacy_found:${id}`
}
