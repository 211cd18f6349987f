import { LIMITS } from '../model/limits.ts'

/** A setting of a question, as a form asks for it. */
export type Setting =
  /** A text in each language. */
  | { kind: 'text' }
  /** Lines with a label. `least` is how many a survey that works has. */
  | { kind: 'lines'; most: number; least: number; hasPictures?: true }
  | { kind: 'switch' }
  /** `isAbove`: `min` itself is too low. `isNeeded`: it has no default. */
  | {
      kind: 'number'
      min: number
      max: number
      isWhole: boolean
      usual: number | null
      isAbove?: true
      isNeeded?: true
    }
  | { kind: 'day' }
  | { kind: 'one'; of: readonly string[]; usual: string }
  | { kind: 'several'; of: readonly string[]; usual: readonly string[] }

type Base = 'id' | 'type' | 'title' | 'description' | 'required'
/** Does not compile while a type lacks one of its settings. */
type SettingsOf<Q> = { readonly [Name in Exclude<keyof Q, Base>]-?: Setting }

export const text: Setting = { kind: 'text' }
export const ends = { low_label: text, high_label: text }
export const style: Setting = { kind: 'one', of: ['number', 'star', 'smiley'], usual: 'number' }
export const order: Setting = { kind: 'one', of: ['none', 'all', 'all_but_last'], usual: 'none' }
export const isOn: Setting = { kind: 'switch' }
export const lines = (least: number, most: number = LIMITS.choices): Setting => ({ kind: 'lines', least, most })
export const whole = (min: number, max: number, usual: number | null): Setting => ({
  kind: 'number',
  min,
  max,
  usual,
  isWhole: true,
})
export const place = (usual: number): Setting => ({
  kind: 'number',
  min: -LIMITS.sliderEnd,
  max: LIMITS.sliderEnd,
  usual,
  isWhole: false,
})
export const oneOf = { choices: /* @__PURE__ */ lines(1), allow_other: isOn, shuffle: order }
export const CONTACT = ['name', 'email', 'phone', 'company']

export const FAMILY_NAMES = ['scores', 'choices', 'words', 'others'] as const
export type Family = (typeof FAMILY_NAMES)[number]

/** A type as its author sees it. */
export interface Form<Q> {
  /** In the languages of the console. */
  title: Record<'en' | 'de' | 'es' | 'ar', string>
  sign: string
  family: Family
  settings: SettingsOf<Q>
}
