import { defaultOperators, Liquid, type LiquidOptions, type Template, Token } from 'liquidjs'
import { escapeHtml } from './html-safety.ts'
import { scoreButtons, scoreLines } from './score-links.ts'
import { MEMBERS, VARIABLES, type EmailVariables } from './email-variables.ts'
import {
  BudgetedContext,
  countFilters,
  countHandler,
  countOperators,
  countWritten,
  type RenderingBudget,
} from './rendering-budget.ts'

/** The longest template; an invitation that is longer is cut by mail programs anyway. */
export const LONGEST = 100_000

const LIMITS: LiquidOptions = {
  strictFilters: true,
  ownPropertyOnly: true,
  // No file is ever read: the tags that would are gone, and this is where they would look.
  templates: {},
  timezoneOffset: 0,
  locale: 'en',
  operators: countOperators(defaultOperators),
  parseLimit: LONGEST,
  // Items and characters that filters and ranges make. One filter over that many takes up to 50 ms, and nothing can
  // interrupt it.
  memoryLimit: 50_000,
}
const READS_FILES = ['include', 'render', 'layout', 'block']
// They work through an expression of any length for each item: 50,000 items by 200 comparisons took 17 s.
const BY_EXPRESSION = ['where_exp', 'reject_exp', 'group_by_exp', 'has_exp', 'find_exp', 'find_index_exp']

indexPositions()
const plain = createEngine((value) => value, scoreLines)
const html = createEngine(escapeHtml, scoreButtons)
// There is no way around the escaping.
html.unregisterFilter('raw')

export type Part = 'subject' | 'html' | 'text'

export type Parsed = { render: Render; message: null } | { render: null; message: string }
export type Render = (variables: EmailVariables, budget: RenderingBudget) => string

// Parsing and looking at one takes up to 10 µs.
const MOST_TAGS = 2_000

/** How many outputs and tags there are, those in comments included. */
export function countTags(source: string): number {
  let count = 0
  for (let at = source.indexOf('{'); at !== -1; at = source.indexOf('{', at + 1)) {
    const next = source[at + 1]
    if (next === '{' || next === '%') count += 1
  }
  return count
}

/** Parses one part, or says what is wrong with it and where. Values in HTML are escaped. */
export function parseTemplate(part: Part, source: string): Parsed {
  const engine = part === 'html' ? html : plain
  if (countTags(source) > MOST_TAGS)
    return { render: null, message: `A part may have at most ${MOST_TAGS} tags and outputs.` }
  try {
    const template = engine.parse(source)
    const unknown = unknownVariable(engine, template)
    if (unknown) return { render: null, message: unknown }
    return {
      render: (variables, budget) =>
        String(engine.renderSync(template, new BudgetedContext(engine, variables, budget))),
      message: null,
    }
  } catch (error) {
    return { render: null, message: messageOf(error) }
  }
}

/** The error of a template and its place, for the person who wrote it. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : 'Earshot cannot render this template'
  return `${message.split('\n', 1)[0]?.slice(0, 300)}.`
}

function createEngine(escape: (value: unknown) => unknown, scoreLinks: (variables: EmailVariables) => string): Liquid {
  const engine = new Liquid({ ...LIMITS, outputEscape: countHandler(escape) as typeof escapeHtml })
  countWritten(engine)
  countFilters(engine)
  for (const tag of READS_FILES) delete engine.tags[tag]
  for (const filter of BY_EXPRESSION) engine.unregisterFilter(filter)
  // As a loop in Liquid this took two thirds of the time of a rendering.
  engine.registerTag('score_links', { render: ({ environments }) => scoreLinks(environments as EmailVariables) })
  return engine
}

function unknownVariable(engine: Liquid, template: Template[]): string | null {
  const { globals } = engine.analyzeSync(template, { partials: false })
  for (const places of Object.values(globals)) {
    for (const { segments, location } of places) {
      const [name, member] = [String(segments[0]), segments[1]]
      const members = MEMBERS[name]
      if (members && typeof member === 'string' && !members.includes(member)) {
        return (
          `There is no ${name}.${member.slice(0, 60)}, line:${location.row}, col:${location.col}. Use one of ` +
          `${members.map((known) => `${name}.${known}`).join(', ')}.`
        )
      }
      if ((VARIABLES as readonly string[]).includes(name)) continue
      return (
        `There is no variable ${name.slice(0, 60)}, line:${location.row}, col:${location.col}. Use one of ` +
        `${VARIABLES.join(', ')}.`
      )
    }
  }
  return null
}

// Liquid counts the lines from the beginning of the source for each token that it analyses: 12,000 outputs took 2 s.
let lines = { source: '', starts: [0] }

/** Has Liquid look up the line and column of a token; both begin with 1. */
function indexPositions(): void {
  Token.prototype.getPosition = function getPosition(this: Token) {
    if (lines.source !== this.input) lines = { source: this.input, starts: startsOf(this.input) }
    const { starts } = lines
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((starts[middle] ?? 0) <= this.begin) low = middle
      else high = middle - 1
    }
    return [low + 1, this.begin - (starts[low] ?? 0) + 1]
  }
}

function startsOf(source: string): number[] {
  const starts = [0]
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}
