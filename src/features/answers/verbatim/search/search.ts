import { fold } from '../../../../platform/filter/folding.ts'
import { stem, STEMMED, wordsIn } from '../rules-engine/words.ts'

/** One part of a search: a text has to hold it, or must not. */
export interface Term {
  isExcluded: boolean
  /**
   * Every word of it stands in the text, in one of its basic forms. A prefix stands for all words that begin with it.
   */
  words: Array<{ forms: string[]; isPrefix: boolean }>
  /** The words of a quote, one after another. */
  quote: string[] | null
}

/** Groups of terms: a text holds all terms of one of the groups. */
export type Search = Term[][]

const MOST_TERMS = 20
const MOST_GROUPS = 5
const PART = /(-?)(?:"([^"]*)"?|(\S+))/gu
const ORS = new Set(['or', 'oder', 'o', 'ou'])

/** Reads `"exact words" plain -without deliv* or other`. Anything can be searched, so nothing is refused. */
export function parseSearch(text: string): Search {
  const groups: Search = [[]]
  let left = MOST_TERMS
  for (const [, minus, quoted, plain = ''] of text.matchAll(PART)) {
    if (quoted === undefined && minus === '' && isOr(plain)) {
      if (groups.length < MOST_GROUPS) groups.push([])
      continue
    }
    const words = wordsIn(quoted ?? plain)
    if (words.length === 0 || (left -= words.length) < 0) continue
    groups.at(-1)?.push({
      isExcluded: minus === '-',
      words: words.map((word, at) =>
        formsOf(word, quoted === undefined && plain.endsWith('*') && at === words.length - 1),
      ),
      quote: quoted === undefined || words.length < 2 ? null : words,
    })
  }
  return groups.filter((group) => group.length > 0)
}

function isOr(word: string): boolean {
  return word === '|' || (word === word.toUpperCase() ? ORS.has(word.toLowerCase()) : word === 'or')
}

// A text keeps the basic form of its own language, which nobody knows before it is found.
function formsOf(word: string, isPrefix: boolean): { forms: string[]; isPrefix: boolean } {
  const plain = fold(word)
  const stems = [word, plain].flatMap((each) => [each, ...STEMMED.map((language) => stem(each, language))])
  // The texts of earlier versions were indexed with accents.
  const forms = new Set([...stems, ...stems.map(fold)])
  // `deliver*` finds `delivery`, whose basic form is `deliveri`, by the shortest form.
  const shortest = [...forms].reduce(
    (least, form) => (plain.startsWith(form) && form.length < least.length ? form : least),
    plain,
  )
  return isPrefix ? { forms: [shortest], isPrefix } : { forms: [...forms], isPrefix }
}
