import { Problem, type Issue } from '../../../http/problems/problem.ts'
import { createWorkThread, WorkFailedError } from '../../../platform/loop/work-thread.ts'
import type { EmailContent } from './email-content.ts'
import type { EmailVariables } from './email-variables.ts'
import { countTags } from './liquid.ts'
import {
  pickLanguage,
  renderEmail,
  TemplateFailedError,
  type EmailTemplate,
  type RenderedEmail,
} from './render-email.ts'
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
 * Each place of a template that cannot be sent as it is. Worked out on another thread, so that no template holds up this one.
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
 * One mail for one person. A template without loops that is not too long is rendered at once, for that is sooner done than
 * handed over; any other is rendered on the other thread.
 * @param of the workspace that asks.
 * @throws TemplateFailedError, and Problem 503 where too many letters wait for the other thread.
 */
export async function writeLetter(
  of: string,
  template: EmailTemplate,
  variables: EmailVariables,
  purpose: 'letter' | 'trial' = 'letter',
): Promise<RenderedEmail> {
  const language = pickLanguage(template, variables.language)
  if (isLight(template, language)) return renderEmail(template, variables)
  const source = template.content[language]
  if (!source) throw new TemplateFailedError()
  try {
    const task = { kind: 'render' as const, language, source, variables: { ...variables, language } }
    const result = await (purpose === 'trial' ? trials : letters).run(task, of)
    if ('letter' in result && result.letter) return result.letter
  } catch (error) {
    if (!(error instanceof WorkFailedError)) throw error
    if (error.reason === 'busy') throw busy()
  }
  throw new TemplateFailedError()
}

function busy(): Problem {
  return new Problem(503, 'busy', {
    detail: 'This server is working on other templates. Send the request again in a moment.',
    retryAfter: 5,
  })
}

const MOST_LIGHT_CHARACTERS = 50_000
const MOST_LIGHT_TAGS = 500
const MOST_LIGHT_FILTERS = 100
const REPEATS = /\{%-?\s*(?:for|tablerow|liquid|capture)\b/
const light = new WeakMap<EmailTemplate, Map<string, boolean>>()

function isLight(template: EmailTemplate, language: string): boolean {
  const known = light.get(template) ?? new Map<string, boolean>()
  light.set(template, known)
  const answer = known.get(language) ?? looksLight(template, language)
  known.set(language, answer)
  return answer
}

function looksLight({ content }: EmailTemplate, language: string): boolean {
  const source = content[language]
  if (!source) return false
  const text = `${source.subject}${source.html}${source.text ?? ''}`
  return (
    text.length <= MOST_LIGHT_CHARACTERS &&
    countTags(text) <= MOST_LIGHT_TAGS &&
    text.split('|', MOST_LIGHT_FILTERS + 2).length <= MOST_LIGHT_FILTERS &&
    !REPEATS.test(text)
  )
}
