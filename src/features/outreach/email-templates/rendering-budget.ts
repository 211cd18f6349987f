import { Context, type FilterImplOptions, type Liquid, type Operators } from 'liquidjs'
import type { EmailVariables } from './email-variables.ts'

// 2 µs each: nodes of the template that are rendered, each time that they are. The built-in template takes about 60.
const MOST_STEPS = 10_000
// Of subject, HTML and text, captures included.
const MOST_WRITTEN = 400_000
// Characters and items that filters and comparisons read and make, up to 0.1 µs each.
const MOST_WORKED = 500_000
const MOST_CPU_MS = 50
// A date writes each part of its format in up to 20 µs.
const WORK_OF_DATE_PART = 200

/**
 * The limits of rendering one letter, its three parts together. Steps and characters are the same on every machine;
 * the processor's time, which bounds the work of a single step, is this thread's own, so a busy machine fails no mail.
 */
export class RenderingBudget {
  readonly #cpu = process.threadCpuUsage()
  #startedAtMs = Infinity
  #steps = 0
  #written = 0
  #worked = 0

  /** @param nowMs of a clock that only goes forward. @throws Error where the budget is spent. */
  step(nowMs: number): void {
    this.#steps += 1
    if (this.#steps > MOST_STEPS) throw exceeded()
    this.#look(nowMs)
  }

  /** Counts values that a filter or a comparison reads or has made. @throws Error where the budget is spent. */
  work(values: unknown[]): void {
    this.#worked += sizeOf(values)
    if (this.#worked > MOST_WORKED) throw exceeded()
    this.#look(performance.now())
  }

  /** Counts a format before a date is written by it, because nothing can interrupt that. */
  workByFormat(format: unknown): void {
    this.#worked += String(format).split('%', MOST_WORKED / WORK_OF_DATE_PART + 2).length * WORK_OF_DATE_PART
    if (this.#worked > MOST_WORKED) throw exceeded()
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

  #look(nowMs: number): void {
    this.#startedAtMs = Math.min(this.#startedAtMs, nowMs)
    // Asked for only where the clock has gone that far, for it is a system call.
    if (nowMs - this.#startedAtMs > MOST_CPU_MS) this.requireTime()
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

/** Has an engine count the input and output of each filter: one output may chain thousands, and is one step. */
export function countFilters(engine: Liquid): void {
  for (const [name, filter] of Object.entries(engine.filters))
    engine.registerFilter(
      name,
      typeof filter === 'function'
        ? countHandler(filter, name)
        : { ...filter, handler: countHandler(filter.handler, name) },
    )
}

type Handler = Extract<FilterImplOptions, (...given: never[]) => unknown>

export function countHandler(handler: Handler, name = ''): Handler {
  return function* counted(value: unknown, ...options: unknown[]): Generator<unknown, unknown, unknown> {
    const { budget } = this.context as BudgetedContext
    budget.work([value, options])
    if (name === 'date') budget.workByFormat(options[0])
    const made = yield handler.call(this, value, ...options)
    budget.work([made])
    return made
  }
}

/** The operators, counted likewise: a condition may hold thousands, and is one step. */
export function countOperators(operators: Operators): Operators {
  return Object.fromEntries(
    Object.entries(operators).map(([name, operator]) => {
      const work = operator as (...operands: unknown[]) => ReturnType<typeof operator>
      const counted = (...operands: unknown[]) => {
        const context = operands.at(-1) as BudgetedContext
        context.budget.work(operands.slice(0, -1))
        return work(...operands)
      }
      return [name, counted as typeof operator]
    }),
  )
}

function* counted(
  rendering: IterableIterator<unknown>,
  budget: RenderingBudget,
): IterableIterator<unknown, unknown, unknown> {
  const written = yield rendering
  budget.write(String(written).length)
  return written
}

/** Characters and items, those of lists in lists included; a little more than the limit where it is more. */
function sizeOf(value: unknown): number {
  const left = [value]
  let size = 0
  while (left.length > 0 && size <= MOST_WORKED) {
    const one = left.pop()
    size += typeof one === 'string' ? one.length : 1
    if (typeof one === 'object' && one !== null) for (const each of Object.values(one)) left.push(each)
  }
  return size
}

function exceeded(): Error {
  return new Error('the mail exceeds a limit: it gets too long, or takes too much work to render')
}
