import { COMMAND_WORDS } from '../../../survey-engine/language/commands.ts'
import { wordsOf } from '../../../survey-engine/language/reply-words.ts'

/** Messages that mean the same in every conversation, whatever is asked (docs/specification.md, "Conversations"). */
export type Command = 'stop' | 'start' | 'yes' | 'help'

const START = ['start', 'unstop']
const HELP = ['help', 'info']
const LONGEST = 200
const EMOJI = /^\p{Extended_Pictographic}$/u

/** @param text the whole message, in any case, with any spaces, punctuation, emoji and signature. */
export function commandIn(text: string): Command | null {
  if (text.length > LONGEST) return null
  const said = wordsOf(text).filter((word) => !EMOJI.test(word))
  const whole = said.join('')
  if (START.includes(whole)) return 'start'
  if (HELP.includes(whole)) return 'help'
  if (whole === 'yes') return 'yes'
  return optsOut(said) || optsOut(wordsOf(withoutSignature(text))) ? 'stop' : null
}

/** A word that opts out, alone, repeated, or with words that keep it clear: "stop raising prices" is an answer. */
function optsOut(said: string[]): boolean {
  const { stop, stopPhrases, polite, beside } = COMMAND_WORDS
  if (stopPhrases.has(said.filter((word) => !polite.has(word)).join(' ')) || isStop(said.join(''))) return true
  const left = said.filter((word) => !beside.has(word) && !EMOJI.test(word))
  return left.length > 0 && (left.every(isStop) || isStop(left.join('')))

  function isStop(word: string): boolean {
    return stop.has(word) || stop.has(word.replace(/(\p{L})\1+/gu, '$1')) || /^(?:stop){2,5}$/.test(word)
  }
}

/** A line of a name, or of a program that names itself, after the message. */
function withoutSignature(text: string): string {
  const [first = '', ...rest] = text.trim().split(/[\r\n]+/)
  const said = rest.length > 0 && rest.every(isSignature) ? first : text.trim()
  const [, before = '', name = ''] = /^([^-–—~/|,.]+)[-–—~/|,.]+([^-–—~/|,.]+)$/u.exec(said) ?? []
  return isName(name) ? before : said
}

function isSignature(line: string): boolean {
  return (
    /^\s*(?:--|__)|\b(?:iphone|ipad|android|galaxy|samsung|outlook|smartphone|mobile)\b/iu.test(line) || isName(line)
  )
}

/** One to three words that begin with a capital, such as "Ada Lovelace". */
function isName(text: string): boolean {
  const words = text.trim().split(/\s+/)
  return words.length <= 3 && words.every((word) => /^[-–—~]?\p{Lu}(?:\p{Ll}+|\.)?$/u.test(word))
}

/** A closing courtesy. It asks for nothing. */
export function isCourtesy(text: string): boolean {
  const said = wordsOf(text)
  return said.length > 0 && said.length <= 8 && said.every((word) => COMMAND_WORDS.courtesies.has(word))
}

/** Whether a caller refuses more calls, by words or by the star that an invitation offers. */
export function refusesCalls(text: string, offeredStar: boolean): boolean {
  return (
    (offeredStar && /^\*+$/.test(text.trim())) ||
    commandIn(text) === 'stop' ||
    /^(?:please )?(?:do not|dont|don t|never) call/.test(wordsOf(text).join(' '))
  )
}
