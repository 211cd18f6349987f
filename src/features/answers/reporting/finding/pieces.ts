import type { Id } from '../../../../platform/ids.ts'
import type { Span } from '../cells/rollup-cover.ts'

/** A piece of the past of a survey where a list looks for responses. */
export interface Piece extends Span {
  surveyId: Id<'survey'>
  /** The lowest and the highest id in it. Null if they are not known. */
  ids: [string, string] | null
}

/** `asc` and `desc` by id. Null is another order, in which every piece is read at once. */
export type Order = 'asc' | 'desc' | null

/** Pieces that are read at once at first. Then twice as many, and so on. */
const FIRST = 32

/**
 * A page of a list from pieces. It reads those first that may have its first ids, and no more than the page needs.
 * @param read a page of these pieces alone, in the order of the list, one more than `limit`.
 */
export async function readPieces<Row>(
  pieces: Piece[],
  { order, limit, idOf, keyOf = idOf }: PieceList<Row>,
  read: (pieces: Piece[]) => Promise<Row[]>,
): Promise<Row[]> {
  const known = pieces.filter(({ ids }) => ids !== null).toSorted((a, b) => compare(edgeOf(a), edgeOf(b)))
  let group = [...pieces.filter(({ ids }) => ids === null), ...known.splice(0, order ? FIRST : known.length)]
  const rows = new Map<string, Row>()
  for (let size = FIRST * 2; group.length > 0; size *= 2) {
    // Pieces of different groups may share responses of the same moment.
    for (const row of await read(joinPieces(group))) rows.set(keyOf(row), row)
    group = known.splice(0, size)
    const [last, next] = [inOrder()[limit], group[0]]
    if (last && next && compare(idOf(last), edgeOf(next)) < 0) break
  }
  return inOrder().slice(0, limit + 1)

  function inOrder(): Row[] {
    return order ? [...rows.values()].toSorted((a, b) => compare(idOf(a), idOf(b))) : [...rows.values()]
  }
  function compare(a: string, b: string): number {
    return (a < b ? -1 : a > b ? 1 : 0) * (order === 'asc' ? 1 : -1)
  }
  function edgeOf({ ids }: Piece): string {
    return ids?.[order === 'asc' ? 0 : 1] ?? ''
  }
}

interface PieceList<Row> {
  order: Order
  limit: number
  /** The id of its response. */
  idOf: (row: Row) => string
  /** The key that distinguishes it from other rows of the same response. */
  keyOf?: (row: Row) => string
}

/** The same pieces, where those of a survey that overlap are one. */
export function joinPieces(pieces: Piece[]): Piece[] {
  const all: Piece[] = []
  for (const piece of pieces.toSorted(
    (a, b) => a.surveyId.localeCompare(b.surveyId) || a.since.getTime() - b.since.getTime(),
  )) {
    const before = all.at(-1)
    if (before?.surveyId !== piece.surveyId || before.until < piece.since) all.push({ ...piece })
    else if (before.until < piece.until) before.until = piece.until
  }
  return all
}
