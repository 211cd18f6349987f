import { readLocalNumber } from '../../language/local-numbers.ts'
import { readScore } from '../../language/reply-numbers.ts'
import { wordsOf } from '../../language/reply-words.ts'
import type { LocalizedText } from '../../model/definition.ts'
import { isBlank } from '../../model/formats.ts'
import type { Asking, Behaviour, Comparison, Heard, Scale } from '../behaviour.ts'
import { NUMBERS } from './comparisons.ts'

/** A question that is answered with one of a few whole numbers. */
export function scored<Q extends Labelled>(scale: (question: Q) => Scale): Behaviour<Q, 'scale'> {
  const comparison: Comparison<Q> = {
    ...NUMBERS,
    impossible(_leaf, question, holds) {
      const { min, max } = scale(question)
      return scoresIn({ min, max }).some(holds)
        ? null
        : `No answer passes this test; answers are whole numbers from ${min} to ${max}.`
    },
    everyAnswer: (question) => scoresIn(scale(question)),
  }
  return {
    kind: 'scale',
    scale,
    read(raw, question, language) {
      const { min, max } = scale(question)
      const value = numberFrom(raw, language)
      if (value === null) return null
      if (Number.isInteger(value) && value >= min && value <= max) return { value }
      return { problem: `Answer with a whole number from ${min} to ${max}.` }
    },
    comparison: () => comparison,
    show: String,
    ask: (question, asking) => [askForNumber(scale(question), question, asking)],
    reply: (heard, question) =>
      readScore(
        heard.text,
        { ...scale(question), stars: 'style' in question && question.style === 'star' },
        heard.language,
      ) ?? labelledEnd(heard, question, scale(question)),
  }
}

/** The number of a raw answer, NaN if it is none. Blank text is no answer: null. */
export function numberFrom(raw: unknown, language: string): number | null {
  if (typeof raw !== 'string') return typeof raw === 'number' ? raw + 0 : NaN
  return isBlank(raw) ? null : Number(readLocalNumber(raw, language) ?? NaN)
}

/** Every number of a scale, the lowest first. */
export function scoresIn({ min, max }: Scale): number[] {
  return Array.from({ length: max - min + 1 }, (_, index) => min + index)
}

interface Labelled {
  low_label?: LocalizedText
  high_label?: LocalizedText
}

/** Asks for a number of a range, and says which words stand at its ends. */
export function askForNumber(
  { min, max }: Scale,
  { low_label, high_label }: Labelled,
  { spoken, say, filled }: Asking,
): string {
  const ends = [
    { n: min, label: filled(low_label) },
    { n: max, label: filled(high_label) },
  ].filter(({ label }) => label !== '')
  if (spoken) return [say('say_scale', { min, max }), ...ends.map((end) => say('say_end', end))].join(' ')
  const labels = ends.map(({ n, label }) => `${n} = ${label}`).join(', ')
  return say(labels === '' ? 'ask_scale' : 'ask_scale_labels', { min, max, labels })
}

/** The end of a range whose label is the whole reply; null where it is neither or both. */
export function labelledEnd(
  { text, label }: Heard,
  { low_label, high_label }: Labelled,
  { min, max }: Scale,
): number | null {
  const said = wordsOf(text).join(' ')
  const isSaid = (end: LocalizedText | undefined) =>
    end !== undefined && said !== '' && wordsOf(label(end)).join(' ') === said
  const [low, high] = [isSaid(low_label), isSaid(high_label)]
  return low === high ? null : low ? min : max
}
