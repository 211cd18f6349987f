import { parentPort } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import type { Issue } from '../../../http/problems/problem.ts'
import { contentIssues, type EmailContent, type EmailSource } from './email-content.ts'
import type { EmailVariables } from './email-variables.ts'
import {
  createTemplate,
  renderEmail,
  TemplateFailedError,
  type EmailTemplate,
  type RenderedEmail,
} from './render-email.ts'

/** A request to the thread: check whether a content can be sent, or render one letter for each person. */
export type TemplateTask =
  | { kind: 'check'; content: EmailContent; defaultLanguage: string }
  | { kind: 'render'; source: EmailSource; people: EmailVariables[] }

/**
 * The letters of the first people, one at least. A letter is null where the template exceeds what one letter may take.
 */
export type TemplateResult = { issues: Issue[] } | { letters: Array<RenderedEmail | null> }

// Past these it answers with the letters that it has: others wait for the thread, and the loop has to read the answer.
const MOST_MS = 50
const MOST_CHARACTERS = 500_000

const known = new LRUCache<string, EmailTemplate>({ max: 50 })

parentPort?.on('message', (task: TemplateTask) => {
  const result: TemplateResult =
    task.kind === 'check' ? { issues: contentIssues(task.content, task.defaultLanguage) } : { letters: lettersOf(task) }
  parentPort?.postMessage(result)
})

function lettersOf({ source, people }: Extract<TemplateTask, { kind: 'render' }>) {
  const startedAt = performance.now()
  const template = templateOf(people[0]?.language ?? '', source)
  const letters: Array<RenderedEmail | null> = []
  let characters = 0
  for (const variables of people) {
    const letter = letterOf(template, variables)
    letters.push(letter)
    characters += letter ? letter.html.length + letter.text.length : 0
    if (characters > MOST_CHARACTERS || performance.now() - startedAt > MOST_MS) break
  }
  return letters
}

function templateOf(language: string, source: EmailSource): EmailTemplate {
  const key = JSON.stringify([language, source])
  const template = known.get(key) ?? createTemplate({ [language]: source }, language)
  known.set(key, template)
  return template
}

function letterOf(template: EmailTemplate, variables: EmailVariables): RenderedEmail | null {
  try {
    return renderEmail(template, variables)
  } catch (error) {
    if (error instanceof TemplateFailedError) return null
    throw error
  }
}
