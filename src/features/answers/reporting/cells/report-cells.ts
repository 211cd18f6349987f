import { startSlices } from '../../../../platform/loop/turns.ts'
import type { AnswerCount } from './distributions.ts'
import type { CountedQuestions, ScoreCount, StateCount } from './report-figures.ts'

/**
 * A count. `cell` is a JSON array that names the counted thing: `["state","completed"]`,
 * `["answer","q1","nps",null,"9"]`.
 */
export interface CellCount {
  cell: string
  n: number
}

export interface Cells extends CountedQuestions {
  states: StateCount[]
  scores: ScoreCount[]
}

/** Adds up equal cells of a slot and groups them by kind, in slices: each choice of each version has a cell. */
export async function readCells(counts: ReadonlyArray<CellCount & { slot: number }>, slot: number): Promise<Cells> {
  // By question, because a map of a million cells takes long to grow.
  const sums = new Map<string, Map<string, number>>()
  const slices = startSlices()
  for (const count of counts) {
    if (slices.isOver()) await slices.next()
    if (count.slot !== slot) continue
    const { cell, n } = count
    const question = cell.slice(0, cell.indexOf(',', cell.indexOf(',') + 1))
    const known = sums.get(question) ?? new Map<string, number>()
    if (known.size === 0) sums.set(question, known)
    known.set(cell, (known.get(cell) ?? 0) + n)
  }
  const states: StateCount[] = []
  const scores: ScoreCount[] = []
  const answers: AnswerCount[] = []
  const questions = {
    reached: new Map<string, number>(),
    dropped: new Map<string, number>(),
    answered: new Map<string, number>(),
    finished: new Map<string, number>(),
  }
  for (const [cell, n] of eachOf(sums)) {
    if (slices.isOver()) await slices.next()
    // Subtracted from a rollup and not counted again.
    if (n === 0) continue
    const [kind, first = '', second = '', part = null, value = ''] = JSON.parse(cell) as [
      string,
      string,
      string?,
      (string | null)?,
      string?,
    ]
    if (kind === 'state') states.push({ state: first, n })
    else if (kind === 'score') scores.push({ type: first, value: Number(second), n })
    else if (kind === 'answer') answers.push({ question: first, type: second, part, value, n })
    else if (kind in questions) questions[kind as keyof typeof questions].set(first, n)
  }
  return { states, scores, answers, ...questions }
}

function* eachOf(sums: Map<string, Map<string, number>>): Generator<[cell: string, n: number]> {
  for (const known of sums.values()) yield* known
}
