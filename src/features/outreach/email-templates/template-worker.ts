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

/** A request to the thread: check whether a content can be sent, or render one letter. */
export type TemplateTask =
  | { kind: 'check'; content: EmailContent; defaultLanguage: string }
  | { kind: 'render'; language: string; source: EmailSource; variables: EmailVariables }

/** A letter is null where the template exceeds what one letter may take. */
export type TemplateResult = { issues: Issue[] } | { letter: RenderedEmail | null }

const known = new LRUCache<string, EmailTemplate>({ max: 50 })

parentPort?.on('message', (task: TemplateTask) => {
  const result: TemplateResult =
    task.kind === 'check' ? { issues: contentIssues(task.content, task.defaultLanguage) } : { letter: letterOf(task) }
  parentPort?.postMessage(result)
})

function letterOf({ language, source, variables }: Extract<TemplateTask, { kind: 'render' }>): RenderedEmail | null {
  const key = JSON.stringify([language, source])
  const template = known.get(key) ?? createTemplate({ [language]: source }, language)
  known.set(key, template)
  try {
    return renderEmail(template, variables)
  } catch (error) {
    if (error instanceof TemplateFailedError) return null
    throw error
  }
}
