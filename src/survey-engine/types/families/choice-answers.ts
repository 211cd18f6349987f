import type { Choosing, MultiQuestion, PictureQuestion, Question, RankingQuestion } from '../../model/definition.ts'
import { isStorable } from '../../model/formats.ts'
import { LIMITS } from '../../model/limits.ts'
import { allowsOther, choicesOf } from '../../model/questions.ts'
import { isRecord } from '../../model/record.ts'

type ChoiceReading<T> = { value: T } | { problem: string }

/** One choice id, or `{other: "…"}` where the question allows it. A bare `other` is an "other" without words. */
export function readChoosing(question: Question, raw: unknown): ChoiceReading<Choosing> {
  if (typeof raw === 'string') {
    if (choicesOf(question).some(({ id }) => id === raw)) return { value: raw }
    if (raw === 'other' && allowsOther(question)) return { value: { other: '' } }
    return { problem: 'Choose one of the choice ids of this question.' }
  }
  if (!isRecord(raw) || typeof raw['other'] !== 'string' || Object.keys(raw).length !== 1) {
    return { problem: 'Answer with one choice id.' }
  }
  if (!allowsOther(question)) return { problem: 'Choose one of the choices; this question takes no other answer.' }
  if (raw['other'].length > LIMITS.otherLength) {
    return { problem: `Shorten the other answer to ${LIMITS.otherLength} characters.` }
  }
  if (!isStorable(raw['other'])) return { problem: 'Remove the characters that are not text.' }
  return { value: { other: raw['other'].trim() } }
}

/** An array of different choices within the question's bounds; null when it is empty. */
export function readMany(question: MultiQuestion | PictureQuestion, raw: unknown): ChoiceReading<Choosing[]> | null {
  if (!Array.isArray(raw)) return { problem: 'Answer with an array of choice ids.' }
  const items: unknown[] = raw
  if (items.length === 0) return null
  if (items.length > question.choices.length + 1) return { problem: 'Choose each choice at most once.' }
  const chosen = new Map<string, Choosing>()
  for (const item of items) {
    const reading = readChoosing(question, item)
    if ('problem' in reading) return reading
    const key = typeof reading.value === 'string' ? reading.value : 'other'
    if (chosen.has(key)) return { problem: 'Choose each choice at most once.' }
    chosen.set(key, reading.value)
  }
  const { min_choices: least = 0, max_choices: most = Infinity } = question.type === 'multi' ? question : {}
  if (chosen.size < least) return { problem: `Choose at least ${least}.` }
  if (chosen.size > most) return { problem: `Choose at most ${most}.` }
  return { value: [...chosen.values()] }
}

/** Every choice id exactly once, the best first; null when the array is empty. */
export function readRanking(question: RankingQuestion, raw: unknown): ChoiceReading<string[]> | null {
  const problem = 'Rank every choice exactly once.'
  if (!Array.isArray(raw)) return { problem: 'Answer with an array of all choice ids, the best first.' }
  const items: unknown[] = raw
  if (items.length === 0) return null
  if (items.length !== question.choices.length) return { problem }
  const ranked: string[] = []
  const left = new Set(question.choices.map(({ id }) => id))
  for (const item of items) {
    if (typeof item !== 'string' || !left.delete(item)) return { problem }
    ranked.push(item)
  }
  return { value: ranked }
}
