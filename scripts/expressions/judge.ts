import { runInNewContext } from 'node:vm'
import { parentPort } from 'node:worker_threads'
import { checkSync } from 'recheck'
import type { Expression } from './expressions.ts'

const MOST_MS = 120_000
// An attack is long enough to take a second or more if the work grows with the square of the text.
const LONG_MS = 250

// One expression a message: what is wrong with it, or null.
parentPort?.on('message', ({ pattern, flags }: NonNullable<Expression['source']>) => {
  const { status, ...verdict } = checkSync(pattern, flags, { timeout: MOST_MS })
  if (status === 'unknown') return parentPort?.postMessage('cannot be judged')
  // Expressions that look around are tried with guesses, and the machine that counts their steps is not ours.
  const isExact = verdict.checker === 'automaton'
  const attack = status === 'vulnerable' && 'attack' in verdict ? verdict.attack : null
  const isWrong = attack !== null && (isExact || takesLong(new RegExp(pattern, flags), attack.string))
  parentPort?.postMessage(isWrong ? `works longer than in proportion to its text, as with ${attack.pattern}` : null)
})

function takesLong(expression: RegExp, text: string): boolean {
  const before = process.threadCpuUsage()
  try {
    runInNewContext('text.replace(expression, "")', { expression, text }, { timeout: MOST_MS })
  } catch {
    return true
  }
  return process.threadCpuUsage(before).user / 1_000 > LONG_MS
}
