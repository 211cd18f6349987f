import { readLocalNumber } from '../language/local-numbers.ts'
import { readNumber } from '../language/reply-numbers.ts'
import type { SliderQuestion } from '../model/definition.ts'
import { LIMITS } from '../model/limits.ts'
import type { Behaviour, Comparison, Heard } from './behaviour.ts'
import { membersOf, NUMBERS } from './families/comparisons.ts'
import { askForNumber, labelledEnd, numberFrom } from './families/scored.ts'

/** A number of a range, in steps. */
export const slider: Behaviour<SliderQuestion, 'number'> = {
  kind: 'number',
  read(raw, question, language) {
    const range = rangeOf(question)
    const value = numberFrom(raw, language)
    if (value === null) return null
    if (isPlace(value, range)) return { value }
    return { problem: `Answer with ${placesOf(range)}.` }
  },
  comparison: () => PLACES,
  show: String,
  reportLines: (question) => Math.min(stepsOf(rangeOf(question)), LIMITS.sliderSteps) + 1,
  checkDraft(issues, question, path) {
    for (const key of ['min', 'max', 'step'] as const) {
      if (!isUsable(question[key] ?? 0)) {
        issues.add(
          `${path}.${key}`,
          `Use a number from −${END} to ${END} with at most ${LIMITS.sliderDecimals} digits after the point.`,
        )
      }
    }
    const range = rangeOf(question)
    if (range.max <= range.min) issues.add(`${path}.max`, `Put the highest number above the lowest, ${range.min}.`)
    if (range.step <= 0) issues.add(`${path}.step`, 'Use a step above 0.')
    else if (stepsOf(range) > LIMITS.sliderSteps) {
      issues.add(`${path}.step`, `Use a larger step; a slider may have at most ${LIMITS.sliderSteps} steps.`)
    }
  },
  checkPublish(issues, question, path) {
    const { min, max, step } = rangeOf(question)
    if (isPlace(max, { min, max, step }) || step <= 0 || max <= min) return
    issues.add(`${path}.step`, `Use a step that reaches ${max} from ${min}; this one does not.`)
  },
  ask(question, asking) {
    const range = rangeOf(question)
    const steps = range.step === 1 ? [] : [asking.say('ask_steps', { step: range.step })]
    return [[askForNumber(range, question, asking), ...steps].join(' ')]
  },
  lint(question, channel) {
    const { min, step } = rangeOf(question)
    const pressable = min >= 0 && Number.isInteger(min) && Number.isInteger(step)
    return channel === 'voice' && !pressable
      ? ['People have to say the number; keys have no sign and no decimals.']
      : []
  },
  reply: (heard, question) => numberIn(heard, question) ?? labelledEnd(heard, question, rangeOf(question)),
}

export interface Range {
  min: number
  max: number
  step: number
}

export function rangeOf({ min = 0, max = 100, step = 1 }: SliderQuestion): Range {
  return { min, max, step }
}

const END = LIMITS.sliderEnd.toLocaleString('en')

const PLACES: Comparison<SliderQuestion> = {
  ...NUMBERS,
  impossible(leaf, question, holds) {
    const range = rangeOf(question)
    const { min, max, step } = range
    // Where a test turns from false to true, it does so at an end or beside a number that it compares with.
    const beside = membersOf(leaf).flatMap((member) => {
      const below = inUnits(min) + Math.floor((inUnits(Number(member)) - inUnits(min)) / inUnits(step)) * inUnits(step)
      return [below, below + inUnits(step)].map((units) => units / UNITS)
    })
    const places = [min, max, ...beside].filter((place) => place >= min && place <= max)
    return places.some(holds) ? null : `No answer passes this test; an answer is ${placesOf(range)}.`
  },
}

function numberIn({ text, language }: Heard, question: SliderQuestion): number | null {
  const whole = readLocalNumber(text.trim(), language)
  return whole === null ? readNumber(text, language, { max: rangeOf(question).max }) : Number(whole)
}

// Whole units of the smallest decimal: 0.3 is three steps of 0.1, and not 2.9999999999999996.
const UNITS = 10 ** LIMITS.sliderDecimals

function inUnits(value: number): number {
  return Math.round(value * UNITS)
}

export function isPlace(value: number, { min, max, step }: Range): boolean {
  return isUsable(value) && value >= min && value <= max && (inUnits(value) - inUnits(min)) % inUnits(step) === 0
}

function isUsable(value: number): boolean {
  return Math.abs(value) <= LIMITS.sliderEnd && inUnits(value) / UNITS === value
}

function stepsOf({ min, max, step }: Range): number {
  return max <= min || step <= 0 ? 0 : Math.floor((inUnits(max) - inUnits(min)) / inUnits(step))
}

function placesOf({ min, max, step }: Range): string {
  if (step === 1 && Number.isInteger(min)) return `a whole number from ${min} to ${max}`
  return `a number from ${min} to ${max} in steps of ${step}`
}
