import { Context, defaultOperators, type Liquid, type Operators } from 'liquidjs'
import type { EmailVariables } from './email-variables.ts'

const contains = defaultOperators['contains'] as NonNullable<Operators[string]>

// 2 µs each: nodes of the template that are rendered, each time that they are. The built-in template takes about 60.
const MOST_STEPS = 10_000
// Of subject, HTML and text, captures included.
const MOST_WRITTEN = 400_000
const MOST_CPU_MS = 50

/**
 * The limits of rendering one letter, its three parts together. Steps and characters are the same on every machine;
 * the processor's time, which holds what one step can waste, is this thread's own, so a busy machine fails no mail.
 */
export class RenderingBudget {
  readonly #cpu = process.threadCpuUsage()
  #startedAtMs = Infinity
  #steps = 0
  #written = 0

  /** @param nowMs of a clock that only goes forward. @throws Error where the budget is spent. */
  step(nowMs: number): void {
    this.#startedAtMs = Math.min(this.#startedAtMs, nowMs)
    this.#steps += 1
    if (this.#steps > MOST_STEPS) throw exceeded()
    // Asked for only where the clock has gone that far, for it is a system call.
    if (nowMs - this.#startedAtMs > MOST_CPU_MS) this.requireTime()
  }

  /** @throws Error where the budget is spent. */
  write(characters: number): void {
    this.#written += characters
    if (this.#written > MOST_WRITTEN) throw exceeded()
  }

  /** @throws Error where more of the processor was taken than one letter may. */
  requireTime(): void {
    const { user, system } = process.threadCpuUsage(this.#cpu)
    if (user + system > MOST_CPU_MS * 1_000) throw exceeded()
  }
}

/** A rendering in Liquid that draws on a budget. */
export class BudgetedContext extends Context {
  readonly budget: RenderingBudget
  constructor(engine: Liquid, variables: EmailVariables, budget: RenderingBudget) {
    super(variables, engine.options, { sync: true }, { liquid: engine })
    this.budget = budget
    // Liquid asks this before each node, with the time.
    this.renderLimit.check = (nowMs) => budget.step(nowMs)
  }
}

/** Has an engine count what it writes. */
export function countWritten({ renderer }: Liquid): void {
  const render = renderer.renderTemplates.bind(renderer)
  renderer.renderTemplates = (templates, context, emitter) => {
    // With an emitter it writes into what an outer call returns.
    if (emitter || !(context instanceof BudgetedContext)) return render(templates, context, emitter)
    return counted(render(templates, context), context.budget)
  }
}

/** The operator, counted like a filter: a condition may hold thousands, and all of them are one step. */
export const countedContains: Operators[string] = (text: unknown, part: unknown, context: Context) => {
  if (typeof text === 'string') context.memoryLimit.use(text.length)
  return contains(text, part, context)
}

function* counted(
  rendering: IterableIterator<unknown>,
  budget: RenderingBudget,
): IterableIterator<unknown, unknown, unknown> {
  const written = yield rendering
  budget.write(String(written).length)
  return written
}

function exceeded(): Error {
  return new Error('the mail exceeds a limit: it gets too long, or takes too much work to render')
}
