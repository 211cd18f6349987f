import { asciiDigits, exactNumber, readLocalNumber, writeLocalNumber } from '../../language/local-numbers.ts'
import { readNumber } from '../../language/reply-numbers.ts'
import { plain, wordsIn } from '../../language/reply-words.ts'
import type { TextFormat } from '../../model/definition.ts'
import { isEmail, isHttpUrl } from '../../model/formats.ts'
import { LONGEST_SMS } from '../../model/limits.ts'
import { normalisePhone } from '../../model/phones.ts'
import type { Heard, Reading } from '../behaviour.ts'

/** Reads trimmed text as what its format asks for. */
export function readFormatted(format: Exclude<TextFormat, 'text'>, text: string, language: string): Reading {
  switch (format) {
    case 'email':
      return isEmail(text) ? { value: text } : { problem: 'Enter an email address, such as name@example.com.' }
    case 'url':
      return isHttpUrl(text)
        ? { value: text }
        : { problem: 'Enter a web address that starts with http:// or https://.' }
    case 'number': {
      const number = readLocalNumber(text, language)
      return number === null
        ? { problem: `Enter a number, such as 12 or ${writeLocalNumber(3.5, language)}.` }
        : { value: exactNumber(number) }
    }
    case 'phone': {
      const phone = normalisePhone(asciiDigits(text))
      return phone ? { value: phone } : { problem: 'Enter a phone number of 7 to 15 digits.' }
    }
  }
}

/** The words of a reply in a format: the one address in a sentence, the number that it gives. */
export function wordsInReply(heard: Heard, format: TextFormat): string | number | null {
  const text = heard.text.trim()
  switch (format) {
    case 'text':
      return text
    case 'number':
      return amountIn(text, heard.language)
    case 'email':
      return theOnly('@', addressIn(text, heard))
    case 'url': {
      const found = theOnly('.', addressIn(text, heard))
      return found === null || /^https?:\/\//i.test(found) ? found : `https://${found}`
    }
    case 'phone':
      return text.replace(/(?<![!,;.])[!,;.]+$/, '')
  }
}

/** A number in a reply, in digits or words; null where it is none. */
function amountIn(text: string, language: string): number | string | null {
  if (text.length > LONGEST_SMS) return null
  const whole = readLocalNumber(text, language)
  return whole === null ? readNumber(text, language) : exactNumber(whole)
}

/** The one word with a sign inside of it: "it's ada@example.com". */
function theOnly(sign: '@' | '.', text: string): string | null {
  const found = text.split(/\s+/).filter((word) => word.slice(1, -1).includes(sign))
  const [only = ''] = found
  return found.length === 1 ? only.replace(/^[<("']+|(?<![>)"'!,;.])[>)"'!,;.]+$/g, '') : null
}

/** In a call the signs of an address are words: "ada at example dot com". */
function addressIn(text: string, { spoken, language }: Heard): string {
  if (!spoken) return text
  const { at, dot } = wordsIn(language)
  return plain(text)
    .split(/\s+/)
    .map((word) => (at.includes(word) ? '@' : dot.includes(word) ? '.' : word))
    .join('')
    .replace(/\.$/, '')
}
