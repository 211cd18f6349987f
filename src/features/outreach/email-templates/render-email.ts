import { nearestLanguage } from '../../../survey-engine/language/nearest.ts'
import { accentOn } from '../../../platform/look/accent.ts'
import { compileSource, oneLine, type CompiledSource, type EmailContent, type Letter } from './email-content.ts'
import type { EmailVariables } from './email-variables.ts'
import { linksIn, MOST_LINKS, type HtmlLink } from './html-reader.ts'
import { disarmLinks, escapeHtml } from './html-safety.ts'
import { wordsIn } from './default-template.ts'
import { DARK, LIGHT } from '../../../platform/look/tokens.ts'

/** One version of a template. Each language is compiled once, when it is first needed. */
export interface EmailTemplate {
  readonly content: EmailContent
  readonly languages: string[]
  readonly defaultLanguage: string
  /** Foreign Liquid may be as costly as its author likes, so it is rendered on another thread. */
  readonly origin: 'ours' | 'foreign'
  compiled(language: string): CompiledSource
}

export interface RenderedEmail extends Letter {
  /** The language of the template that was used. */
  language: string
  /** Listed where the mail is rendered, so that the loop does not read the HTML. */
  links: HtmlLink[]
}

/** A template exceeded the limits of a rendering with one person's data. The error holds nothing of that data. */
export class TemplateFailedError extends Error {
  constructor() {
    super('a template exceeded the limits of a rendering')
    this.name = 'TemplateFailedError'
  }
}

const MOST_FAILURES = 5

export function createTemplate(
  content: EmailContent,
  defaultLanguage: string,
  origin: EmailTemplate['origin'] = 'foreign',
): EmailTemplate {
  const compiled = new Map<string, CompiledSource>()
  const failures = new Map<string, number>()
  return {
    content,
    languages: Object.keys(content),
    defaultLanguage,
    origin,
    compiled(language) {
      const known = compiled.get(language)
      if (known) return known
      const source = content[language]
      if (!source) throw new Error('a template was asked for a language that it does not have')
      const render = compileSource(source)
      // A template that runs into its limits for a few people in a row does so for the next ten thousand as well.
      const made: CompiledSource = (variables) => {
        const failed = failures.get(language) ?? 0
        if (failed >= MOST_FAILURES) throw new TemplateFailedError()
        try {
          const letter = render(variables)
          failures.delete(language)
          return letter
        } catch {
          failures.set(language, failed + 1)
          throw new TemplateFailedError()
        }
      }
      compiled.set(language, made)
      return made
    },
  }
}

/**
 * One mail for one person: the subject on one line, values escaped in the HTML, and an unsubscribe link in HTML and
 * text whatever the template does with it.
 * @throws TemplateFailedError
 */
export function renderEmail(template: EmailTemplate, variables: EmailVariables): RenderedEmail {
  const language = pickLanguage(template, variables.language)
  const given = {
    ...variables,
    language,
    workspace: { ...variables.workspace, ...colorsOf(variables.workspace.color) },
  }
  const { subject: filled, html, text } = template.compiled(language)(given)
  // It may consist of what is not known of this person.
  const subject = filled === '' ? oneLine(variables.workspace.name) : filled
  const letter = withUnsubscribe({ subject, html: disarmLinks(html), text }, language, variables.unsubscribe_url)
  const links = linksIn(letter.html)
  if (links.length > MOST_LINKS) throw new TemplateFailedError()
  return { ...letter, language, links }
}

/** The language nearest to the one asked for, else the default. */
export function pickLanguage({ languages, defaultLanguage }: EmailTemplate, asked: string): string {
  return nearestLanguage([asked], languages) ?? defaultLanguage
}

// A condition of the template may have left it out for somebody.
function withUnsubscribe({ subject, html, text }: Letter, language: string, url: string): Letter {
  const escaped = escapeHtml(url)
  const { unsubscribe } = wordsIn(language)
  const footer = html.includes(escaped) ? '' : `<p><a href="${escaped}">${unsubscribe}</a></p>`
  const end = footer === '' ? -1 : html.search(/<\/body\s*>/i)
  return {
    subject,
    html: end === -1 ? html + footer : html.slice(0, end) + footer + html.slice(end),
    text: text.includes(url) ? text : `${text}\n\n${unsubscribe}: ${url}\n`,
  }
}

/** The brand colour as it can be read on the light and on the dark paper of a mail. */
function colorsOf(color: string | null) {
  const brand = color !== null && /^#[0-9a-f]{6}$/i.test(color) ? color : LIGHT.accent
  const [light, dark] = [accentOn(brand, '#ffffff'), accentOn(brand, DARK.paper)]
  return { color: light.color, text_color: light.text, dark_color: dark.color, dark_text_color: dark.text }
}
