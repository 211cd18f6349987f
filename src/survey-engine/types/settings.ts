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

export const FAMILY_NAMES = ['scores', 'choices', 'words', 'others'] as const
type Family = (typeof FAMILY_NAMES)[number]

/** A type as its author sees it. The menu has the types of a family in the order of this table. */
interface Form<Q> {
  sign: string
  family: Family
  settings: SettingsOf<Q>
}

const FORMS: { [Type in QuestionType]: Form<QuestionOf<Type>> } = {
  nps: { sign: 'gauge', family: 'scores', settings: ends },
  csat: { sign: 'gauge', family: 'scores', settings: { ...ends, style } },
  ces: { sign: 'gauge', family: 'scores', settings: ends },
  rating: { sign: 'award', family: 'scores', settings: { scale: whole(3, 10, null), ...ends, style } },
  slider: {
    sign: 'arrow-up-down',
    family: 'scores',
    settings: { min: place(0), max: place(100), step: { ...place(1), min: 0 } as Setting, ...ends },
  },
  single: { sign: 'circle-check', family: 'choices', settings: oneOf },
  multi: {
    sign: 'square-check',
    family: 'choices',
    settings: {
      ...oneOf,
      min_choices: whole(0, LIMITS.choices + 1, null),
      max_choices: whole(0, LIMITS.choices + 1, null),
    },
  },
  dropdown: { sign: 'chevron-down', family: 'choices', settings: oneOf },
  picture: {
    sign: 'eye',
    family: 'choices',
    settings: {
      choices: { kind: 'lines', least: 1, most: LIMITS.choices, hasPictures: true },
      multiple: isOn,
      allow_other: isOn,
      shuffle: order,
    },
  },
  ranking: {
    sign: 'list-ordered',
    family: 'choices',
    settings: { choices: lines(2, LIMITS.rankedChoices), shuffle: order },
  },
  matrix: { sign: 'columns-3', family: 'choices', settings: { rows: lines(1), columns: lines(1), shuffle: order } },
  open_text: {
    sign: 'text-cursor-input',
    family: 'words',
    settings: {
      format: { kind: 'one', of: ['text', 'email', 'url', 'number', 'phone'], usual: 'text' },
      max_length: whole(1, LIMITS.openTextMost, LIMITS.openTextDefault),
    },
  },
  date: { sign: 'calendar-days', family: 'words', settings: { min: { kind: 'day' }, max: { kind: 'day' } } },
  contact: {
    sign: 'contact',
    family: 'words',
    settings: {
      fields: { kind: 'several', of: CONTACT, usual: ['name', 'email'] },
      required_fields: { kind: 'several', of: CONTACT, usual: [] },
    },
  },
  consent: { sign: 'shield', family: 'others', settings: {} },
  statement: { sign: 'message-square-text', family: 'others', settings: {} },
}

export function menuOf(type: QuestionType): { sign: string; family: Family } {
  return FORMS[type]
}

/** Each setting of a type besides the texts and `required`, in the order of a form. */
export function settingsOf(type: QuestionType): ReadonlyArray<[name: string, setting: Setting]> {
  return Object.entries(FORMS[type].settings as Record<string, Setting>)
}

export const QUESTION_TYPES = Object.keys(FORMS) as QuestionType[]

/** The menu of types. */
export const FAMILIES = FAMILY_NAMES.map((name) => ({
  name,
  types: QUESTION_TYPES.filter((type) => menuOf(type).family === name),
}))

/** The question as another type: what both types have stays, and what the new one needs has its least. */
export function asType(question: Question, type: QuestionType): Question {
  const before = question as unknown as Record<string, unknown>
  const earlier: Record<string, Setting> = FORMS[question.type].settings
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
