import { wordsOf } from '../../../survey-engine/language/reply-words.ts'

/** Messages that mean the same in every conversation, whatever is asked (docs/specification.md, "Conversations"). */
export type Command = 'stop' | 'start' | 'yes' | 'help'

// The list of docs/specification.md, "Conversations", and the words that carriers honour in German and French.
const STOP = ['stop', 'stopall', 'unsubscribe', 'cancel', 'end', 'quit', 'revoke', 'optout', 'stopp', 'arret']
const START = ['start', 'unstop']
const HELP = ['help', 'info']
/** Words that keep a STOP clear. With any other word the message is an answer, such as "stop raising prices". */
const BESIDE_STOP = new Set(
  'please pls plz now thanks thank you bitte merci gracias all it this these texting text texts messaging message messages sending sms contacting calling calls me us and'.split(
    ' ',
  ),
)

/** @param text the whole message, in any case, with any spaces and punctuation. */
export function commandIn(text: string): Command | null {
  if (text.length > 100) return null
  const said = wordsOf(text)
  const whole = said.join('')
  if (STOP.includes(whole)) return 'stop'
  if (START.includes(whole)) return 'start'
  if (HELP.includes(whole)) return 'help'
  if (whole === 'yes') return 'yes'
  const left = said.filter((word) => !BESIDE_STOP.has(word))
  return left.length < said.length && STOP.includes(left.join('')) ? 'stop' : null
}

/** A closing courtesy. It begins no survey. */
export function isCourtesy(text: string): boolean {
  const said = wordsOf(text)
  return said.length > 0 && said.length <= 4 && said.every((word) => COURTESIES.has(word))
}

const COURTESIES = new Set(
  'thanks thank you thx ty ok okay cool great bye goodbye cheers danke dir ihnen tschuss merci gracias adios de nada 👍 🙏 😊 😀 ❤ 👌'.split(
    ' ',
  ),
)

/** Whether a caller refuses more calls, by words or by the star that an invitation offers. */
export function refusesCalls(text: string, offeredStar: boolean): boolean {
  return (
    (offeredStar && /^\*+$/.test(text.trim())) ||
    commandIn(text) === 'stop' ||
    /^(?:please )?(?:do not|dont|don t|never) call/.test(wordsOf(text).join(' '))
  )
}
