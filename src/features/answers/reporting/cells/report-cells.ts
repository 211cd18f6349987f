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

/** Adds up equal cells and groups them by kind. */
export function readCells(counts: readonly CellCount[]): Cells {
  const sums = new Map<string, number>()
  for (const { cell, n } of counts) sums.set(cell, (sums.get(cell) ?? 0) + n)
  const states: StateCount[] = []
  const scores: ScoreCount[] = []
  const answers: AnswerCount[] = []
  const questions = {
    reached: new Map<string, number>(),
    dropped: new Map<string, number>(),
    answered: new Map<string, number>(),
    finished: new Map<string, number>(),
  }
  for (const [cell, n] of sums) {
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
