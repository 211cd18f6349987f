import type { Issue } from '../../../http/problems/problem.ts'
import { linksIn, MOST_LINKS } from './html-reader.ts'
import { activeContent, linksTo } from './html-safety.ts'
import { sampleVariables, type EmailVariables } from './email-variables.ts'
import { messageOf, parseTemplate, type Part, type Render } from './liquid.ts'
import { RenderingBudget } from './rendering-budget.ts'
import { textFromHtml } from './text-from-html.ts'

/** One language of a template, as its author wrote it. Without a text, one is made from the HTML. */
export interface EmailSource {
  subject: string
  html: string
  text?: string | undefined
}

/** By language tag. */
export type EmailContent = Record<string, EmailSource>

export interface Letter {
  subject: string
  html: string
  text: string
}

/** One language, ready to be rendered. */
export type CompiledSource = (variables: EmailVariables) => Letter

const MOST_SUBJECT = 300

/** @throws Error where a part does not parse, or exceeds what one rendering may take. */
export function compileSource(source: EmailSource): CompiledSource {
  const subject = parsed('subject', source.subject)
  const html = parsed('html', source.html)
  const text = parsed('text', source.text ?? textFromHtml(source.html))
  return (variables) => {
    const budget = new RenderingBudget()
    const letter = {
      subject: oneLine(subject(variables, budget)),
      html: html(variables, budget),
      text: text(variables, budget),
    }
    budget.requireTime()
    return letter
  }
}

/** Everything on one line: whatever might end a header becomes a space. */
export function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
    .slice(0, MOST_SUBJECT)
    .toWellFormed()
}

/** Each place of a template that cannot be sent as it is. */
export function contentIssues(content: EmailContent, defaultLanguage: string): Issue[] {
  const issues = missingLanguage(content, defaultLanguage)
  for (const [language, source] of Object.entries(content)) {
    issues.push(
      ...sourceIssues(language, source).map(({ path, message }) => ({ path: `content.${language}.${path}`, message })),
    )
  }
  return issues
}

export function missingLanguage(content: EmailContent, defaultLanguage: string): Issue[] {
  return Object.hasOwn(content, defaultLanguage)
    ? []
    : [
        {
          path: 'default_language',
          message: 'The content lacks this language. Add it, or choose a language of the content.',
        },
      ]
}

function sourceIssues(language: string, source: EmailSource): Issue[] {
  const parts: Array<[Part, string]> = [
    ['subject', source.subject],
    ['html', source.html],
    ['text', source.text ?? textFromHtml(source.html)],
  ]
  const broken = parts.flatMap(([part, text]): Issue[] => {
    const { message } = parseTemplate(part, text)
    if (message === null) return []
    return [
      {
        path: part,
        message:
          part === 'text' && source.text === undefined
            ? `This text is made from the HTML: ${message} Add a text of your own.`
            : message,
      },
    ]
  })
  if (broken.length > 0) return broken
  const active = activeContent(source.html)
  if (active) return [{ path: 'html', message: active }]
  return sampleIssues(source, sampleVariables({ ...SAMPLE, language }))
}

// Rendered once with example data, because Liquid can produce what the source does not show.
function sampleIssues(source: EmailSource, variables: EmailVariables): Issue[] {
  let letter: Letter
  try {
    letter = compileSource(source)(variables)
  } catch (error) {
    return [{ path: '', message: messageOf(error) }]
  }
  const issues: Issue[] = []
  if (linksIn(letter.html).length > MOST_LINKS)
    issues.push({ path: 'html', message: `A mail can have at most ${MOST_LINKS} links. Remove some.` })
  const active = activeContent(letter.html)
  if (active) issues.push({ path: 'html', message: active })
  if (!linksTo(letter.html, variables.unsubscribe_url))
    issues.push({
      path: 'html',
      message: `${UNSUBSCRIBE} For example <a href="{{ unsubscribe_url }}">Unsubscribe</a>.`,
    })
  if (!letter.text.includes(variables.unsubscribe_url)) issues.push({ path: 'text', message: UNSUBSCRIBE })
  return issues
}

const UNSUBSCRIBE = 'Add a link to {{ unsubscribe_url }}, so that everybody can unsubscribe.'
const SAMPLE = { baseUrl: 'https://example.com', workspace: { name: 'Example', logo_url: null, color: null } }

function parsed(part: Part, source: string): Render {
  const { render, message } = parseTemplate(part, source)
  if (!render) throw new Error(message)
  return render
}
