import { Liquid, type LiquidOptions, type Template } from 'liquidjs'
import { escapeHtml } from './escape-html.ts'
import { scoreButtons, scoreLines } from './score-links.ts'
import { VARIABLES, type EmailVariables } from './email-variables.ts'

/** The longest template; an invitation that is longer is cut by mail programs anyway. */
export const LONGEST = 100_000

const LIMITS: LiquidOptions = {
  strictFilters: true,
  ownPropertyOnly: true,
  // No file is ever read: the tags that would are gone, and this is where they would look.
  templates: {},
  timezoneOffset: 0,
  locale: 'en',
  parseLimit: LONGEST,
  // Of the wall's clock, so far above what any template takes that a busy process does not fail a mail.
  renderLimit: 500,
  memoryLimit: 200_000,
}
const READS_FILES = ['include', 'render', 'layout', 'block']

const plain = createEngine(LIMITS, scoreLines)
const html = createEngine({ ...LIMITS, outputEscape: escapeHtml }, scoreButtons)
// There is no way around the escaping.
html.unregisterFilter('raw')

export type Part = 'subject' | 'html' | 'text'

export type Parsed = { render: Render; message: null } | { render: null; message: string }
type Render = (variables: EmailVariables) => string

/** Parses one part, or says what is wrong with it and where. What is put out into HTML is escaped. */
export function parseTemplate(part: Part, source: string): Parsed {
  const engine = part === 'html' ? html : plain
  try {
    const template = engine.parse(source)
    const unknown = unknownVariable(engine, template)
    if (unknown) return { render: null, message: unknown }
    return { render: (variables) => String(engine.renderSync(template, variables)), message: null }
  } catch (error) {
    return { render: null, message: messageOf(error) }
  }
}

/** What went wrong in a template and where, for the person who wrote it. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : 'This cannot be rendered'
  return `${message.split('\n', 1)[0]?.slice(0, 300)}.`
}

function createEngine(options: LiquidOptions, scoreLinks: (variables: EmailVariables) => string): Liquid {
  const engine = new Liquid(options)
  for (const tag of READS_FILES) delete engine.tags[tag]
  // As a loop in Liquid this took two thirds of the time of a rendering.
  engine.registerTag('score_links', { render: ({ environments }) => scoreLinks(environments as EmailVariables) })
  return engine
}

function unknownVariable(engine: Liquid, template: Template[]): string | null {
  const { globals } = engine.analyzeSync(template, { partials: false })
  for (const places of Object.values(globals)) {
    for (const { segments, location } of places) {
      const name = String(segments[0])
      if ((VARIABLES as readonly string[]).includes(name)) continue
      return `There is no variable ${name.slice(0, 60)}, line:${location.row}, col:${location.col}. There are: ${VARIABLES.join(', ')}.`
    }
  }
  return null
}
