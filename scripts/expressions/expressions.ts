import { parseSync, Visitor, type CallExpression, type NewExpression } from 'oxc-parser'

export interface Expression {
  path: string
  line: number
  /** As it is written, such as `/a+/u`. `MADE` where the program makes it of parts. */
  text: string
  /** Null where the program makes it of parts. */
  source: { pattern: string; flags: string } | null
}

export const MADE = 'new RegExp'

/** The regular expressions in a source file. */
export function expressionsIn(path: string, code: string): Expression[] {
  const found: Expression[] = []
  const add = (start: number, source: Expression['source']) => {
    const line = code.slice(0, start).split('\n').length
    found.push({ path, line, source, text: source ? `/${source.pattern}/${source.flags}` : MADE })
  }
  const addMade = ({ callee, start }: NewExpression | CallExpression) => {
    if (callee.type === 'Identifier' && callee.name === 'RegExp') add(start, null)
  }
  new Visitor({
    Literal(node) {
      if ('regex' in node) add(node.start, { pattern: node.regex.pattern, flags: node.regex.flags })
    },
    NewExpression: addMade,
    CallExpression: addMade,
  }).visit(parseSync(path, code).program)
  return found
}

const ESCAPE = /\\./gsu
const CLASS = /\[[^\]]*\]/g
const WITHOUT_END = /[*+]|\{\d+,\}/g

/** Whether its work can grow faster than a text at all: it repeats something without end. */
export function mayGrow({ pattern }: { pattern: string }): boolean {
  const bare = pattern.replaceAll(ESCAPE, 'x').replaceAll(CLASS, 'x')
  const repeats = bare.match(WITHOUT_END)?.length ?? 0
  // From the start of the text, one repetition outside groups passes over it once.
  return repeats > 1 || (repeats === 1 && !/^\^[^|(]*$/.test(bare))
}
