import type { Issue } from '../../../http/problems/problem.ts'
import { createWorkThread, WorkFailedError } from '../../../platform/loop/work-thread.ts'
import type { EmailContent } from './email-content.ts'
import type { EmailVariables } from './email-variables.ts'
import { busy, createLetterQueue, type LetterQueue } from './letter-queue.ts'
import { pickLanguage, renderEmail, type EmailTemplate, type RenderedEmail } from './render-email.ts'
import type { TemplateResult, TemplateTask } from './template-worker.ts'

// A content of 1 MiB takes 2 s at most on an idle machine.
const MOST_MS = 15_000
function startThread(name: string) {
  return createWorkThread<TemplateTask, TemplateResult>(new URL('./template-worker.ts', import.meta.url), {
    name,
    mostMs: MOST_MS,
    memoryMb: 64,
  })
}

// Letters of invitations never wait behind what somebody tries out.
const trials = startThread('template trials')
const letters = startThread('template letters')

/**
 * Each place of a template that cannot be sent as it is. Worked out on another thread, so that no template holds up
 * this one.
 * @param of the workspace that asks.
 * @throws Problem 503 where too many templates wait for it.
 */
export async function checkContent(of: string, content: EmailContent, defaultLanguage: string): Promise<Issue[]> {
  try {
    const result = await trials.run({ kind: 'check', content, defaultLanguage }, of)
    return 'issues' in result ? result.issues : []
  } catch (error) {
    if (!(error instanceof WorkFailedError)) throw error
    if (error.reason === 'busy') throw busy()
    return [
      { path: 'content', message: 'This takes too long to check. Make it simpler, or send fewer languages at once.' },
    ]
  }
}

/**
 * One mail for one person. Only the built-in template is rendered at once. The others are rendered on the other thread,
 * because no look at a template shows how long its filters take with a person's data.
 * @param of the workspace that asks.
 * @throws TemplateFailedError, and Problem 503 where too many letters wait for the other thread.
 */
export async function writeLetter(
  of: string,
  template: EmailTemplate,
  variables: EmailVariables,
  purpose: 'letter' | 'trial' = 'letter',
): Promise<RenderedEmail> {
  if (template.origin === 'ours') return renderEmail(template, variables)
  const language = pickLanguage(template, variables.language)
  return queueOf(of, template, language, purpose).write({ ...variables, language })
}

const queues = new WeakMap<EmailTemplate, Map<string, LetterQueue>>()

function queueOf(of: string, template: EmailTemplate, language: string, purpose: 'letter' | 'trial'): LetterQueue {
  const known = queues.get(template) ?? new Map<string, LetterQueue>()
  queues.set(template, known)
  const key = `${purpose} ${of} ${language}`
  const thread = purpose === 'trial' ? trials : letters
  const queue = known.get(key) ?? createLetterQueue(thread, of, template.content[language])
  known.set(key, queue)
  return queue
}
