// Refuses words and openings of sentences that make a text hard to read, and names that do not say what a thing is
// (STYLE.md).
import { listFiles, readText, report } from '../project.ts'

const READ = /^(?:(?:src|web|scripts|bench|torture|migrations|docs)\/.*|[^/]+)\.(?:ts|tsx|mjs|sql|md|css|html)$/
// A change log is history, a lexicon lists words, and these two name the words that they refuse.
const SKIPPED = /^CHANGELOG\.md$|\/lexicon-\w+\.ts$|\/survey-engine\/words\/|^scripts\/checks\/words\./
const INSTEAD: Record<string, string> = {
  nobody: 'say "no one’s", or name the thing that is missing',
  tells: 'say "shows", "says", "reports" or "notifies"',
  hears: 'say "is notified of", "receives" or "learns"',
  whoever: 'name the person or the process: "a person who", "the caller"',
  what: 'begin with the noun: "The formats that …"',
  who: 'begin with the noun: "The members who …"',
  that: 'begin with the noun, or with "This" and the noun',
  'that which': 'begin with the noun',
  'of those': 'begin with the subject: "Three of them …"',
}
const WORD = /(?<![\w-])(nobody['’]s|tells|hears|whoever)(?![\w-])/gi
const OPENING =
  /(?:^|\n\n|\n[ \t]*(?:[-*]|\d+\.) |\||[.!?]["'”’)*_]*\s)[\s>"“(*_]*(What|Who|That which|That|Of those)\b/g
const MOST_COLUMNS = 120
const COMMENT = /^\s*(?:\/\/|\/?\*)/
const END = /[.!?](?=["'”’)*_]*(?:\s|\||$))|\n\n|$/g

// A name says what a thing is, not what happened to it.
const PARTICIPLES = 'begun claimed found given gone held kept left moved shown taken told'.split(' ')
const EXPORTED = /^export (?:(?:async )?function\*?|const|class|interface|type) (\w*(?:Begun|Kept|Told)(?![a-z])\w*)/gm

/** The name of a file, and the exported names in it, that say only what happened to a thing. */
export function refusedNames(path: string, text: string): string[] {
  if (!/\.(?:tsx?|mjs)$/.test(path)) return []
  const [word = ''] = path.slice(path.lastIndexOf('/') + 1).split(/[-.]/, 1)
  return [
    ...(PARTICIPLES.includes(word) ? [`${path} begins with "${word}": name the thing, as in search-results.ts`] : []),
    ...[...text.matchAll(EXPORTED)].map(
      ({ 1: name, index }) =>
        `${path}:${text.slice(0, index).split('\n').length} "${name}": name the thing, as in ResponseCopy`,
    ),
  ]
}

/** The lines of comments that are longer than the formatter's lines. Generated files and documents are left alone. */
export function longComments(path: string, text: string): string[] {
  if (!/(?<!\.d)\.(?:tsx?|mjs)$/.test(path)) return []
  return text
    .split('\n')
    .flatMap((line, at) =>
      line.length > MOST_COLUMNS && COMMENT.test(line) ? [`${path}:${at + 1} has ${line.length} columns: wrap it`] : [],
    )
}

/** The refused words and openings of one file, as lines of a report. */
export function refusedIn(path: string, text: string): string[] {
  const prose = path.endsWith('.md') ? proseOf(text) : commentsOf(text, path.endsWith('.sql'))
  const words = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({ text, word, at: index }))
  const openings = [...prose.matchAll(OPENING)].flatMap(({ 0: all, 1: word = '', index }) => {
    const at = index + all.length
    END.lastIndex = at
    return END.exec(prose)?.[0] === '?' ? [] : [{ text: prose, word, at }]
  })
  return [...words, ...openings].map(({ text, word, at }) => {
    const line = text.slice(0, at).split('\n').length
    return `${path}:${line} "${word}": ${INSTEAD[word.toLowerCase().replace(/['’]s$/, '')]}`
  })
}

/** A document without its code, its headings and the headers of its tables. Each line keeps its number. */
function proseOf(text: string): string {
  const lines = text.replace(/^ *(```|~~~)[\s\S]*?^ *\1/gm, (code) => code.replace(/.*/g, '')).split('\n')
  return lines.map((line, n) => (line.startsWith('#') || /^\|[ :-]*--/.test(lines[n + 1] ?? '') ? '' : line)).join('\n')
}

/** The comments of a program. Each line keeps its number, and a line of code is empty. */
function commentsOf(text: string, isSql: boolean): string {
  const single = isSql ? /(?:^|\s)--\s(.*)/ : /(?:^|\s)\/\/\s(.*)/
  let inBlock = false
  return text
    .split('\n')
    .map((line) => {
      const block = inBlock ? line.replace(/^\s*\*(?!\/) ?/, '') : /(?:^|\s)\/\*+(.*)/.exec(line)?.[1]
      if (block === undefined) return single.exec(line)?.[1] ?? ''
      inBlock = !block.includes('*/')
      return block.replace(/\*\/.*/, '').trim()
    })
    .join('\n')
}

if (import.meta.main) {
  const files = (await listFiles()).filter((path) => READ.test(path) && !SKIPPED.test(path))
  const refused = await Promise.all(
    files.map(async (path) => {
      const text = await readText(path)
      return [...refusedNames(path, text), ...longComments(path, text), ...refusedIn(path, text)]
    }),
  )
  const tooFew = files.length > 1_000 ? [] : [`only ${files.length} files were read`]
  report([...tooFew, ...refused.flat()], `${files.length} files are in plain words`)
}
