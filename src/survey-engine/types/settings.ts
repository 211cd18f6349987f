import type { Question, QuestionOf, QuestionType } from '../model/definition.ts'
import { LIMITS } from '../model/limits.ts'

/** A setting of a question, as a form asks for it. */
export type Setting =
  /** A text in each language. */
  | { kind: 'text' }
  /** Lines with a label. `least` is how many a survey that works has. */
  | { kind: 'lines'; most: number; least: number; hasPictures?: true }
  | { kind: 'switch' }
  | { kind: 'number'; min: number; max: number; isWhole: boolean; usual: number | null }
  | { kind: 'day' }
  | { kind: 'one'; of: readonly string[]; usual: string }
  | { kind: 'several'; of: readonly string[]; usual: readonly string[] }

type Base = 'id' | 'type' | 'title' | 'description' | 'required'
/** Does not compile while a type lacks one of its settings. */
type SettingsOf<Q> = { readonly [Name in Exclude<keyof Q, Base>]-?: Setting }

const text: Setting = { kind: 'text' }
const ends = { low_label: text, high_label: text }
const style: Setting = { kind: 'one', of: ['number', 'star', 'smiley'], usual: 'number' }
const order: Setting = { kind: 'one', of: ['none', 'all', 'all_but_last'], usual: 'none' }
const isOn: Setting = { kind: 'switch' }
const lines = (least: number, most: number = LIMITS.choices): Setting => ({ kind: 'lines', least, most })
const whole = (min: number, max: number, usual: number | null): Setting => ({
  kind: 'number',
  min,
  max,
  usual,
  isWhole: true,
})
const place = (usual: number): Setting => ({
  kind: 'number',
  min: -LIMITS.sliderEnd,
  max: LIMITS.sliderEnd,
  usual,
  isWhole: false,
})
const oneOf = { choices: lines(1), allow_other: isOn, shuffle: order }
const CONTACT = ['name', 'email', 'phone', 'company']

const SETTINGS: { [Type in QuestionType]: SettingsOf<QuestionOf<Type>> } = {
  nps: ends,
  csat: { ...ends, style },
  ces: ends,
  rating: { scale: whole(3, 10, null), ...ends, style },
  slider: { min: place(0), max: place(100), step: { ...place(1), min: 0 } as Setting, ...ends },
  single: oneOf,
  dropdown: oneOf,
  multi: {
    ...oneOf,
    min_choices: whole(0, LIMITS.choices + 1, null),
    max_choices: whole(0, LIMITS.choices + 1, null),
  },
  picture: {
    choices: { kind: 'lines', least: 1, most: LIMITS.choices, hasPictures: true },
    multiple: isOn,
    allow_other: isOn,
    shuffle: order,
  },
  ranking: { choices: lines(2, LIMITS.rankedChoices), shuffle: order },
  matrix: { rows: lines(1), columns: lines(1), shuffle: order },
  open_text: {
    format: { kind: 'one', of: ['text', 'email', 'url', 'number', 'phone'], usual: 'text' },
    max_length: whole(1, LIMITS.openTextMost, LIMITS.openTextDefault),
  },
  date: { min: { kind: 'day' }, max: { kind: 'day' } },
  consent: {},
  contact: {
    fields: { kind: 'several', of: CONTACT, usual: ['name', 'email'] },
    required_fields: { kind: 'several', of: CONTACT, usual: [] },
  },
  statement: {},
}

/** Each setting of a type besides the texts and `required`, in the order of a form. */
export function settingsOf(type: QuestionType): ReadonlyArray<[name: string, setting: Setting]> {
  return Object.entries(SETTINGS[type] as Record<string, Setting>)
}

export const QUESTION_TYPES = Object.keys(SETTINGS) as QuestionType[]

/** The question as another type: what both types have stays, and what the new one needs has its least. */
export function asType(question: Question, type: QuestionType): Question {
  const before = question as unknown as Record<string, unknown>
  const earlier: Record<string, Setting> = SETTINGS[question.type]
  const kept = Object.fromEntries(
    settingsOf(type).flatMap(([name, setting]) => {
      const value = before[name]
      if (value !== undefined && earlier[name]?.kind === setting.kind && fits(value, setting)) return [[name, value]]
      if (setting.kind === 'lines') return [[name, before[FROM[name] ?? ''] ?? []]]
      return name === 'scale' ? [[name, USUAL_SCALE]] : []
    }),
  )
  const { id, title, description, required } = question
  return {
    id,
    type,
    title,
    ...(description !== undefined && { description }),
    ...(required !== undefined && type !== 'statement' && { required }),
    ...kept,
  } as Question
}

const USUAL_SCALE = 5
// Choices become the rows of a matrix, and its rows become choices.
const FROM: Record<string, string> = { rows: 'choices', choices: 'rows' }

function fits(value: unknown, setting: Setting): boolean {
  return setting.kind !== 'one' || setting.of.includes(String(value))
}
