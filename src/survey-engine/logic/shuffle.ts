import type { MatrixLine, Question, SurveyDefinition } from '../model/definition.ts'
import { own } from '../model/record.ts'

/** Question id → the ids of its choices, or of the rows of a matrix, in the order in which they are shown. */
export type Orders = Record<string, string[]>

/** The orders of every shuffled question. The same seed always gives the same orders. */
export function ordersFor({ questions }: Pick<SurveyDefinition, 'questions'>, seed: string): Orders {
  const orders: Orders = {}
  for (const question of questions) {
    const lines = shuffledLines(question)
    if (lines) orders[question.id] = shuffle(lines, question, randomFrom(`${seed}/${question.id}`))
  }
  return orders
}

/** The question with its lines in this order. Lines that the order does not name come last. */
export function inOrder<Q extends Question>(question: Q, orders: Orders): Q {
  const order = own(orders, question.id)
  if (!order || !shuffledLines(question)) return question
  const places = new Map(order.map((id, place) => [id, place]))
  const sorted = <Line extends MatrixLine>(lines: Line[]) =>
    lines.toSorted((a, b) => (places.get(a.id) ?? lines.length) - (places.get(b.id) ?? lines.length))
  return 'rows' in question
    ? { ...question, rows: sorted(question.rows) }
    : 'choices' in question
      ? { ...question, choices: sorted(question.choices) }
      : question
}

/** The lines of a question that asks for a shuffle. Null for any other. */
export function shuffledLines(question: Question): MatrixLine[] | null {
  if (!('shuffle' in question) || (question.shuffle ?? 'none') === 'none') return null
  return 'rows' in question ? question.rows : question.choices
}

function shuffle(lines: MatrixLine[], question: Question, random: () => number): string[] {
  const ids = lines.map(({ id }) => id)
  const last = 'shuffle' in question && question.shuffle === 'all_but_last' ? ids.splice(-1) : []
  for (let at = ids.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    const moved = ids[at] ?? ''
    ids[at] = ids[other] ?? ''
    ids[other] = moved
  }
  return [...ids, ...last]
}

// Mulberry32, seeded with the FNV-1a hash of a text: the same numbers in every process and release.
function randomFrom(seed: string): () => number {
  let state = 0x811c9dc5
  for (const char of seed) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
