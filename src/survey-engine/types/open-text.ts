import { exactNumber } from '../language/local-numbers.ts'
import type { OpenTextQuestion } from '../model/definition.ts'
import { isBlank, isStorable, UNSTORABLE } from '../model/formats.ts'
import { LIMITS } from '../model/limits.ts'
import type { Behaviour } from './behaviour.ts'
import { NUMBERS, WORDS } from './families/comparisons.ts'
import { readFormatted, wordsInReply } from './families/typed.ts'

/** The respondent's own words, or an address, a number or a phone number. */
export const openText: Behaviour<OpenTextQuestion, 'text'> = {
  kind: 'text',
  read(raw, question, language) {
    const { format = 'text' } = question
    if (format === 'number' && typeof raw === 'number' && Number.isFinite(raw)) return { value: raw + 0 }
    if (typeof raw !== 'string') return { problem: 'Answer with text.' }
    const longest = longestOf(question)
    if (raw.length > longest) return { problem: `Shorten the text to ${longest} characters.` }
    if (!isStorable(raw)) return { problem: UNSTORABLE }
    if (isBlank(raw)) return null
    return format === 'text' ? { value: raw } : readFormatted(format, raw.trim(), language)
  },
  split: (value) => ({ text: String(value) }),
  // As a number it means the same in every language, where the text 1.234 does not.
  join: ({ text }, { format }) => (format === 'number' && typeof text === 'string' ? exactNumber(text) : text),
  comparison: ({ format }) => (format === 'number' ? NUMBERS : WORDS),
  show: String,
  isSearched: true,
  checkDraft(issues, { max_length = 1 }, path) {
    if (!Number.isInteger(max_length) || max_length < 1 || max_length > LIMITS.openTextMost) {
      issues.add(`${path}.max_length`, `Use a whole number from 1 to ${LIMITS.openTextMost}.`)
    }
  },
  ask({ format = 'text' }, { spoken, say }) {
    if (spoken) return [say('say_speak')]
    return format === 'text' ? [] : [say(`ask_${format}`)]
  },
  reply: (heard, { format = 'text' }) => wordsInReply(heard, format),
  problemOf: (raw, question) => (typeof raw === 'string' && raw.length > longestOf(question) ? 'too_long' : 'unclear'),
  takesLongReplies: true,
  unspeakable: ({ format }) => (format === 'url' || format === 'email' ? 'Addresses are misheard' : null),
}

function longestOf({ max_length }: OpenTextQuestion): number {
  return max_length ?? LIMITS.openTextDefault
}
