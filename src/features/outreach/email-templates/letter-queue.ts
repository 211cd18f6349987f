import { Problem } from '../../../http/problems/problem.ts'
import { WorkFailedError, type WorkThread } from '../../../platform/loop/work-thread.ts'
import type { EmailSource } from './email-content.ts'
import type { EmailVariables } from './email-variables.ts'
import { TemplateFailedError, type RenderedEmail } from './render-email.ts'
import type { TemplateResult, TemplateTask } from './template-worker.ts'

// The thread ends with such a template, and starting it holds up the letters of others.
const MOST_DEATHS = 3
const MOST_TOGETHER = 16
const MOST_WAITING = 100

interface Waiting {
  variables: EmailVariables
  resolve(letter: RenderedEmail): void
  reject(reason: unknown): void
}

export interface LetterQueue {
  /** @throws TemplateFailedError, and Problem 503 where too many letters wait. */
  write(variables: EmailVariables): Promise<RenderedEmail>
}

/** The letters by one template. Those that come while the thread works are handed over together. */
export function createLetterQueue(
  thread: Pick<WorkThread<TemplateTask, TemplateResult>, 'run'>,
  of: string,
  source: EmailSource | undefined,
): LetterQueue {
  let waiting: Waiting[] = []
  let isDraining = false
  let deaths = 0

  const render = async (together: Waiting[]): Promise<void> => {
    if (!source || deaths >= MOST_DEATHS) return refuse(together, new TemplateFailedError())
    try {
      const people = together.map(({ variables }) => variables)
      const result = await thread.run({ kind: 'render', source, people }, of)
      const written = 'letters' in result ? result.letters : []
      deaths = 0
      written.forEach((letter, n) => {
        if (letter) together[n]?.resolve(letter)
        else together[n]?.reject(new TemplateFailedError())
      })
      // The thread ended early, so that others have their turn.
      waiting = [...together.slice(written.length), ...waiting]
    } catch (error) {
      if (error instanceof WorkFailedError && error.reason !== 'busy') {
        // One person's data may be the cause.
        if (together.length > 1) for (const one of together) await render([one])
        else deaths += 1
      }
      refuse(together, failureOf(error))
    }
  }

  const drain = async (): Promise<void> => {
    isDraining = true
    while (waiting.length > 0) await render(waiting.splice(0, MOST_TOGETHER))
    isDraining = false
  }

  return {
    write: (variables) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= MOST_WAITING) return reject(busy())
        waiting.push({ variables, resolve, reject })
        if (!isDraining) void drain()
      }),
  }
}

function refuse(together: Waiting[], reason: unknown): void {
  for (const { reject } of together) reject(reason)
}

function failureOf(error: unknown): unknown {
  if (!(error instanceof WorkFailedError)) return error
  return error.reason === 'busy' ? busy() : new TemplateFailedError()
}

export function busy(): Problem {
  return new Problem(503, 'busy', {
    detail: 'This server is working on other templates. Send the request again in a moment.',
    retryAfter: 5,
  })
}
