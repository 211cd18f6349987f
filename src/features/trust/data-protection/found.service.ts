import { uuidv7 } from 'uuidv7'
import type { ReadTx, TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Person } from '../../../platform/personal.ts'
import type { Scope } from '../../../platform/scope.ts'
import { startSlices } from '../../../platform/loop/turns.ts'
import * as store from './found.store.ts'

/** So many rows are erased in one transaction. */
const PIECE = 100
/** So many pieces are written or read at once. */
const PAGE = 100
// A person may have any number of responses, so their ids are kept as pieces too.
const LISTS = ['responseIds', 'mentionedIn'] as const

export type Found = Record<string, string[]>

/** Rows of one store that a request has found. */
export interface Piece {
  id: string
  place: string
  keys: string[]
}

/** The pieces of a search, each sealed on its own. */
export async function sealFound(scope: Scope, found: Found, person: Person): Promise<store.PieceRow[]> {
  const slices = startSlices()
  const pieces: store.PieceRow[] = []
  const lists = LISTS.map((list): [string, string[]] => [list, person[list]])
  for (const [place, keys] of [...lists, ...Object.entries(found)])
    for (let at = 0; at < keys.length; at += PIECE) {
      if (slices.isOver()) await slices.next()
      const id = uuidv7()
      const sealed = scope.secrets.seal(JSON.stringify(keys.slice(at, at + PIECE)), contextOf(id))
      pieces.push({ id, place, sealed })
    }
  return pieces
}

/** Keeps what a search has found in place of an earlier one. */
export async function replaceFound(
  tx: TenantTx,
  request: Id<'privacyRequest'>,
  pieces: store.PieceRow[],
): Promise<void> {
  await store.deletePieces(tx, request)
  for (let at = 0; at < pieces.length; at += PAGE) await store.insertPieces(tx, request, pieces.slice(at, at + PAGE))
}

/** The pieces of a request, in the order in which they were found. */
export async function* piecesOf(scope: Scope, request: Id<'privacyRequest'>): AsyncGenerator<Piece> {
  for await (const piece of allPieces(scope, request)) if (!isList(piece.place)) yield piece
}

/** The person with the ids that the last search found. */
export async function withLists(scope: Scope, request: Id<'privacyRequest'>, person: Person): Promise<Person> {
  const whole = { ...person, responseIds: [...person.responseIds], mentionedIn: [...person.mentionedIn] }
  for await (const { place, keys } of allPieces(scope, request)) {
    // They are the first pieces.
    if (!isList(place)) break
    for (const id of keys as Id<'response'>[]) whole[place].push(id)
  }
  return whole
}

/** The person as the request's own row keeps them. */
export function withoutLists(person: Person): Person {
  return { ...person, responseIds: [], mentionedIn: [] }
}

async function* allPieces(scope: Scope, request: Id<'privacyRequest'>): AsyncGenerator<Piece> {
  const slices = startSlices()
  for (let after: string | null = null; ;) {
    const read: (tx: ReadTx) => Promise<store.PieceRow[]> = (tx) =>
      store.listPieces(tx, request, { after, limit: PAGE })
    const rows = await scope.read(read)
    for (const { id, place, sealed } of rows) {
      if (slices.isOver()) await slices.next()
      yield { id, place, keys: JSON.parse(scope.secrets.open(sealed, contextOf(id))) as string[] }
    }
    if (rows.length < PAGE) return
    after = rows.at(-1)?.id ?? null
  }
}

function isList(place: string): place is (typeof LISTS)[number] {
  return LISTS.some((list) => list === place)
}

function contextOf(id: string): string {
  return `privacy_found:${id}`
}
