import { LRUCache } from 'lru-cache'
import type { Label } from '../verbatim-rows.ts'
import type { Lexicon } from './lexicon.ts'
import { ENGLISH } from './lexicon-en.ts'
import { GERMAN } from './lexicon-de.ts'
import { SPANISH } from './lexicon-es.ts'
import { stem, wordsIn } from './words.ts'

export interface Sentiment {
  label: Label
  /** From −1 to 1. */
  score: number
}

const LEXICONS: Record<string, Lexicon> = { en: ENGLISH, de: GERMAN, es: SPANISH }
/** From this score on a text is positive, and from its negative on negative. */
const EDGE = 0.17
const MOST_WORDS = 400
const MOST_LETTERS = 50 * MOST_WORDS
const LONGEST_PHRASE = 5
const REACH = 3
const NEGATED = -0.7
const STRONGER = 1.35
const WEAKER = 0.6
const BEFORE_CONTRAST = 0.75
const AFTER_CONTRAST = 1.1
const WISHED = -0.6
// Brings sums to −1…1: a single `good` gives 0.46.
const SPREAD = 15
const LEAST_TYPO_LENGTH = 6

const EMOJI =
  /(?<good>[😀😃😄😁😊🙂😍🥰😘🤩👍👏🙌💯❤💖🎉⭐🌟😎🤗]|:-?\)|:-?D|;-?\)|<3)|(?<bad>[😡😠🤬😞😢😭👎💔🤮🤢😒🙄😤😩😖😕☹🙁]|:-?\(|:-?\/|>:\()/gu
const CLAUSE = /[.!?;,:()\n–—]+|\s-\s|…/u
const RUNS = /(\p{L})\1{2,}/gu

const PLAIN: Record<string, string> = { á: 'a', é: 'e', í: 'i', ó: 'o', ú: 'u', ü: 'u' }

interface Compiled {
  remembered: LRUCache<string, number>
  words: Map<string, number>
  typos: Map<string, number>
  phrases: Map<string, number>
  sets: Record<'negators' | 'stronger' | 'weaker' | 'contrasts' | 'excess' | 'wishes' | 'ironic' | 'again', Set<string>>
  negatesBackwards: boolean
}

const compiled = new Map<string, Compiled>()

/** How a text feels, by the words and rules of its language. A language without a lexicon counts only its emoji. */
export function sentimentOf(text: string, language: string): Sentiment {
  const lexicon = compiledFor(language)
  const faces = facesIn(text)
  const sum = lexicon ? sumOf(text, language, lexicon) : 0
  const total = sum + faces * 2.5
  const score = Math.round((total / Math.sqrt(total * total + SPREAD)) * 100) / 100
  return { label: score >= EDGE ? 'positive' : score <= -EDGE ? 'negative' : 'neutral', score: score + 0 }
}

function sumOf(text: string, language: string, lexicon: Compiled): number {
  const clauses = clausesIn(text, lexicon)
  const sums = clauses.map((words) => clauseSum(words, language, lexicon))
  const [opening = 0, ...rest] = sums
  const later = rest.reduce((sum, each) => sum + each, 0)
  // Praise that opens a text of trouble is ironic.
  const [first = [], second = []] = clauses
  if (opening > 0 && isIronic(first, second, later, lexicon)) return later - opening * 0.7
  let sum = 0
  for (const [at, words] of clauses.entries()) {
    const turned = lexicon.sets.contrasts.has(words[0] ?? '')
    const beforeTurn = lexicon.sets.contrasts.has(clauses[at + 1]?.[0] ?? '')
    sum += (sums[at] ?? 0) * (turned ? AFTER_CONTRAST : beforeTurn ? BEFORE_CONTRAST : 1)
  }
  return sum + (/!{2,}/.test(text) ? Math.sign(sum) * 0.5 : 0)
}

/** Words between marks; a word of contrast begins a clause of its own. */
function clausesIn(text: string, { sets }: Compiled): string[][] {
  const clauses: string[][] = []
  let left = MOST_WORDS
  for (const part of text.slice(0, MOST_LETTERS).replaceAll(RUNS, '$1$1').split(CLAUSE)) {
    let words: string[] = []
    for (const word of wordsIn(part).slice(0, left)) {
      if (sets.contrasts.has(word) && words.length > 0) {
        clauses.push(words)
        words = []
      }
      words.push(word)
      left -= 1
    }
    if (words.length > 0) clauses.push(words)
    if (left <= 0) break
  }
  return clauses
}

function clauseSum(words: string[], language: string, lexicon: Compiled): number {
  const { sets } = lexicon
  let sum = 0
  for (let at = 0; at < words.length; at += 1) {
    const phrase = phraseAt(words, at, language, lexicon)
    if (phrase) {
      sum += phrase.strength
      at += phrase.length - 1
      continue
    }
    const word = words[at] ?? ''
    if (sets.negators.has(word) && !lexicon.words.has(word)) continue
    let strength = strengthOf(word, language, lexicon)
    if (strength === 0) continue
    if (sets.stronger.has(word) && strengthOf(words[at + 1] ?? '', language, lexicon) !== 0) continue
    const before = words.slice(Math.max(0, at - REACH), at)
    const previous = before.at(-1) ?? ''
    if (sets.excess.has(previous)) strength = -Math.abs(strength)
    else if (sets.stronger.has(previous)) strength *= STRONGER
    else if (sets.weaker.has(previous)) strength *= WEAKER
    const negated =
      before.some((each) => sets.negators.has(each)) ||
      (lexicon.negatesBackwards && negatesAfter(words, at, sets.negators))
    if (negated) strength *= NEGATED
    else if (strength > 0 && before.some((each) => sets.wishes.has(each))) strength *= WISHED
    sum += strength
  }
  return sum
}

function negatesAfter(words: string[], at: number, negators: Set<string>): boolean {
  const after = words.slice(at + 1, at + 1 + REACH)
  const found = after.findIndex((word) => negators.has(word))
  // `gefällt mir nicht` ends there; `gut und nicht teuer` negates what follows.
  return found !== -1 && found + at + 2 >= words.length
}

function phraseAt(
  words: string[],
  at: number,
  language: string,
  { phrases }: Compiled,
): { strength: number; length: number } | null {
  for (let length = Math.min(LONGEST_PHRASE, words.length - at); length > 0; length -= 1) {
    const strength = phrases.get(
      words
        .slice(at, at + length)
        .map((word) => folded(word, language))
        .join(' '),
    )
    if (strength !== undefined) return { strength, length }
  }
  return null
}

function strengthOf(word: string, language: string, lexicon: Compiled): number {
  const remembered = lexicon.remembered.get(word)
  if (remembered !== undefined) return remembered
  const strength = findStrength(folded(word, language), language, lexicon)
  lexicon.remembered.set(word, strength)
  return strength
}

/** Exactly, by the basic form, then with one letter missing, doubled or too many. */
function findStrength(word: string, language: string, { words, typos }: Compiled): number {
  const known = words.get(word) ?? words.get(stem(word, language)) ?? typos.get(word)
  if (known !== undefined || word.length < LEAST_TYPO_LENGTH) return known ?? 0
  for (const each of deletions(word)) {
    const strength = words.get(each)
    if (strength !== undefined && each.length >= LEAST_TYPO_LENGTH) return strength
  }
  return 0
}

// Many write Spanish without its accents.
function folded(word: string, language: string): string {
  return language === 'es' ? word.replaceAll(/[áéíóúü]/g, (letter) => PLAIN[letter] ?? letter) : word
}

/** `Great, another delay`, `Wonderful. Two hours on hold.` */
function isIronic(first: string[], second: string[], later: number, { sets }: Compiled): boolean {
  if (first.length > 4 || !sets.ironic.has(first.find((word) => word.length > 3) ?? first[0] ?? '')) return false
  if (first.slice(1).some((word) => sets.again.has(word)) || sets.again.has(second[0] ?? '')) return later <= 0
  return first.length === 1 && later <= -1
}

function facesIn(text: string): number {
  let sum = 0
  for (const { groups } of text.matchAll(EMOJI)) sum += groups?.['good'] ? 1 : -1
  return Math.max(-2, Math.min(2, sum))
}

function compiledFor(language: string): Compiled | null {
  const lexicon = LEXICONS[language]
  if (!lexicon) return null
  const known = compiled.get(language) ?? compile(lexicon, language)
  compiled.set(language, known)
  return known
}

function compile(lexicon: Lexicon, language: string): Compiled {
  const [words, typos, phrases] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()]
  for (const [strength, list] of Object.entries(lexicon.words))
    for (const word of list.split(' ').map((each) => folded(each.replaceAll('-', ''), language))) {
      words.set(word, Number(strength))
      const basic = stem(word, language)
      if (!words.has(basic)) words.set(basic, Number(strength))
      typos.set(word.replaceAll(/(.)\1/gu, '$1'), Number(strength))
      if (word.length > LEAST_TYPO_LENGTH)
        for (const each of deletions(word)) if (!typos.has(each)) typos.set(each, Number(strength))
    }
  for (const [strength, list] of Object.entries(lexicon.phrases))
    for (const phrase of list.split(';'))
      phrases.set(
        wordsIn(phrase)
          .map((word) => folded(word, language))
          .join(' '),
        Number(strength),
      )
  const { negators, stronger, weaker, contrasts, excess, wishes, ironic, again } = lexicon
  const setOf = (list: string) => new Set(list.split(' ').map((word) => word.replaceAll('-', '')))
  return {
    remembered: new LRUCache({ max: 20_000 }),
    words,
    typos,
    phrases,
    sets: {
      negators: setOf(negators),
      stronger: setOf(stronger),
      weaker: setOf(weaker),
      contrasts: setOf(contrasts),
      excess: setOf(excess),
      wishes: setOf(wishes),
      ironic: setOf(ironic),
      again: setOf(again),
    },
    negatesBackwards: lexicon.negatesBackwards,
  }
}

/** The word without each of its letters but the first. */
function deletions(word: string): string[] {
  return Array.from({ length: word.length - 1 }, (_, at) => word.slice(0, at + 1) + word.slice(at + 2))
}
