import type { AnswerValue, Choice, Choosing } from '../../model/definition.ts'
import { isBlank, isStorable, UNSTORABLE } from '../../model/formats.ts'
import { LIMITS } from '../../model/limits.ts'
import { isRecord } from '../../model/record.ts'

/** A question with choices, as far as an answer to it depends on them. */
export interface Choosable {
  choices: Choice[]
  allow_other?: boolean
  min_choices?: number
  max_choices?: number
}

type ChoiceReading<T> = { value: T } | { problem: string }

/** One choice id, or `{other: "…"}` where the question allows it. A bare `other` is an "other" without words. */
export function readChoosing({ choices, allow_other }: Choosable, raw: unknown): ChoiceReading<Choosing> {
  if (typeof raw === 'string') {
    if (choices.some(({ id }) => id === raw)) return { value: raw }
    if (raw === 'other' && allow_other === true) return { value: { other: '' } }
    return { problem: 'Choose one of the choice ids of this question.' }
  }
  if (!isRecord(raw) || typeof raw['other'] !== 'string' || Object.keys(raw).length !== 1)
    return { problem: 'Answer with one choice id.' }
  if (allow_other !== true) return { problem: 'Choose one of the choices; this question takes no other answer.' }
  if (raw['other'].length > LIMITS.otherLength)
    return { problem: `Shorten the other answer to ${LIMITS.otherLength} characters.` }
  return isStorable(raw['other'])
    ? { value: { other: isBlank(raw['other']) ? '' : raw['other'].trim() } }
    : { problem: UNSTORABLE }
}

/** An array of different choices within the question's bounds; null when it is empty. */
export function readMany(question: Choosable, raw: unknown): ChoiceReading<Choosing[]> | null {
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
  const { min_choices: least = 0, max_choices: most = Infinity } = question
  if (chosen.size < least) return { problem: `Choose at least ${least}.` }
  if (chosen.size > most) return { problem: `Choose at most ${most}.` }
  return { value: [...chosen.values()] }
}

/** The problem of an "other" without words where the question needs an answer; null where another choice answers it. */
export function lackingOther(value: AnswerValue | undefined, required: boolean): string | null {
  const chosen: unknown[] = Array.isArray(value) ? value : [value]
  const isWordless = chosen.length > 0 && chosen.every((item) => isRecord(item) && item['other'] === '')
  return required && isWordless ? 'Write the other answer in words; this question is required.' : null
}
