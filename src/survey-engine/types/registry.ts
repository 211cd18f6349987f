import type { Question, QuestionOf, QuestionType, SurveyDefinition } from '../model/definition.ts'
import { LIMITS } from '../model/limits.ts'
import { own } from '../model/record.ts'
import type { Behaviour, Kind, Scale } from './behaviour.ts'
import { ces } from './ces.ts'
import { consent } from './consent.ts'
import { contact } from './contact.ts'
import { csat } from './csat.ts'
import { date } from './date.ts'
import { dropdown } from './dropdown.ts'
import { matrix } from './matrix.ts'
import { multi } from './multi.ts'
import { nps } from './nps.ts'
import { openText } from './open-text.ts'
import { picture } from './picture.ts'
import { ranking } from './ranking.ts'
import { rating } from './rating.ts'
import { single } from './single.ts'
import {
  CONTACT,
  ends,
  FAMILY_NAMES,
  isOn,
  lines,
  oneOf,
  order,
  place,
  style,
  whole,
  type Family,
  type Form,
  type Setting,
} from './settings.ts'
import { slider } from './slider.ts'
import { statement } from './statement.ts'

const BEHAVIOURS = {
  nps,
  csat,
  ces,
  rating,
  slider,
  single,
  dropdown,
  multi,
  picture,
  ranking,
  matrix,
  open_text: openText,
  date,
  consent,
  contact,
  statement,
} satisfies { [Type in QuestionType]: Behaviour<QuestionOf<Type>> }

/** The menu has the types of a family in the order of this table. */
// Pure, so that the page of respondents goes without it.
const FORMS = /* @__PURE__ */ ((): { [Type in QuestionType]: Form<QuestionOf<Type>> } => ({
  nps: {
    title: { en: 'NPS, 0 to 10', de: 'NPS, 0 bis 10', es: 'NPS, de 0 a 10', ar: 'NPS، من 0 إلى 10' },
    sign: 'gauge',
    family: 'scores',
    settings: ends,
  },
  csat: {
    title: {
      en: 'Satisfaction, 1 to 5',
      de: 'Zufriedenheit, 1 bis 5',
      es: 'Satisfacción, de 1 a 5',
      ar: 'الرضا، من 1 إلى 5',
    },
    sign: 'gauge',
    family: 'scores',
    settings: { ...ends, style },
  },
  ces: {
    title: { en: 'Effort, 1 to 7', de: 'Aufwand, 1 bis 7', es: 'Esfuerzo, de 1 a 7', ar: 'الجهد، من 1 إلى 7' },
    sign: 'gauge',
    family: 'scores',
    settings: ends,
  },
  rating: {
    title: { en: 'Rating', de: 'Bewertung', es: 'Valoración', ar: 'تقييم' },
    sign: 'award',
    family: 'scores',
    settings: { scale: { ...whole(3, 10, null), isNeeded: true } as Setting, ...ends, style },
  },
  slider: {
    title: { en: 'Slider', de: 'Schieberegler', es: 'Deslizador', ar: 'شريط تمرير' },
    sign: 'arrow-up-down',
    family: 'scores',
    settings: { min: place(0), max: place(100), step: { ...place(1), min: 0, isAbove: true } as Setting, ...ends },
  },
  single: {
    title: { en: 'One choice', de: 'Eine Auswahl', es: 'Una opción', ar: 'خيار واحد' },
    sign: 'circle-check',
    family: 'choices',
    settings: oneOf,
  },
  multi: {
    title: { en: 'Several choices', de: 'Mehrere Antworten', es: 'Varias opciones', ar: 'عدة خيارات' },
    sign: 'square-check',
    family: 'choices',
    settings: {
      ...oneOf,
      min_choices: whole(0, LIMITS.choices + 1, null),
      max_choices: whole(0, LIMITS.choices + 1, null),
    },
  },
  dropdown: {
    title: { en: 'Dropdown', de: 'Auswahlliste', es: 'Lista desplegable', ar: 'قائمة منسدلة' },
    sign: 'chevron-down',
    family: 'choices',
    settings: oneOf,
  },
  picture: {
    title: { en: 'Pictures', de: 'Bilder', es: 'Imágenes', ar: 'صور' },
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
    title: { en: 'Ranking', de: 'Rangfolge', es: 'Ordenar', ar: 'ترتيب' },
    sign: 'list-ordered',
    family: 'choices',
    settings: { choices: lines(2, LIMITS.rankedChoices), shuffle: order },
  },
  matrix: {
    title: { en: 'Table of choices', de: 'Tabelle', es: 'Tabla', ar: 'جدول' },
    sign: 'columns-3',
    family: 'choices',
    settings: { rows: lines(1), columns: lines(1), shuffle: order },
  },
  open_text: {
    title: { en: 'Open text', de: 'Freitext', es: 'Texto libre', ar: 'نص حر' },
    sign: 'text-cursor-input',
    family: 'words',
    settings: {
      format: { kind: 'one', of: ['text', 'email', 'url', 'number', 'phone'], usual: 'text' },
      max_length: whole(1, LIMITS.openTextMost, LIMITS.openTextDefault),
    },
  },
  date: {
    title: { en: 'Date', de: 'Datum', es: 'Fecha', ar: 'تاريخ' },
    sign: 'calendar-days',
    family: 'words',
    settings: { min: { kind: 'day' }, max: { kind: 'day' } },
  },
  contact: {
    title: { en: 'Contact', de: 'Kontakt', es: 'Contacto', ar: 'جهة اتصال' },
    sign: 'contact',
    family: 'words',
    settings: {
      fields: { kind: 'several', of: CONTACT, usual: ['name', 'email'] },
      required_fields: { kind: 'several', of: CONTACT, usual: [] },
    },
  },
  consent: {
    title: { en: 'Consent', de: 'Einwilligung', es: 'Consentimiento', ar: 'موافقة' },
    sign: 'shield',
    family: 'others',
    settings: {},
  },
  statement: {
    title: { en: 'Statement', de: 'Hinweis', es: 'Aviso', ar: 'نص للعرض' },
    sign: 'message-square-text',
    family: 'others',
    settings: {},
  },
}))()

/** The questions that one kind of answer answers. */
export type QuestionOfKind<K extends Kind> = {
  [Type in QuestionType]: (typeof BEHAVIOURS)[Type]['kind'] extends K ? QuestionOf<Type> : never
}[QuestionType]

export function isOfKind<K extends Kind>(question: Question, kind: K): question is QuestionOfKind<K> {
  return behaviourOf(question).kind === kind
}

/** The kind of a type; null for a name that is no type. */
export function kindOf(type: string): Kind | null {
  return own<Behaviour>(BEHAVIOURS, type)?.kind ?? null
}

export function behaviourOf(question: Question): Behaviour {
  return BEHAVIOURS[question.type]
}

export function takesAnswer(question: Question): boolean {
  return behaviourOf(question).kind !== 'none'
}

/** Whether every completed response must answer it; a rule may ask for more. */
export function isRequired(question: Question): boolean {
  const isAsked = question.required === true || behaviourOf(question).isRequired?.(question) === true
  return isAsked && takesAnswer(question)
}

/** The inclusive range of a question that is answered with one of a few whole numbers; null for every other type. */
export function scaleOf(question: Question): Scale | null {
  return behaviourOf(question).scale?.(question) ?? null
}

/** Whether it takes several of its choices. */
export function takesSeveral(question: Question): boolean {
  return behaviourOf(question).takesSeveral?.(question) === true
}

/** How many controls a page has for it: choices, cells of a matrix, places in a ranking. */
export function controlsOf(question: Question): number {
  return behaviourOf(question).controls?.(question) ?? 1
}

export function reportLinesOf(question: Question): number {
  return behaviourOf(question).reportLines?.(question) ?? controlsOf(question)
}

const MOST_QUESTIONS = 200
// Drawing a control takes up to 10 µs.
export const MOST_CONTROLS = 2_500

/** Whether one page can hold every question, so that a script can show them one by one. */
export function fitsOnePage(definition: SurveyDefinition): boolean {
  const controls = definition.questions.reduce((sum, question) => sum + controlsOf(question), 0)
  return controls <= MOST_CONTROLS && definition.questions.length <= MOST_QUESTIONS
}

/** The name of a type. English for a language that is not known. */
export function typeTitle(type: QuestionType, language: string): string {
  const titles: Record<string, string> = FORMS[type].title
  return titles[language] ?? FORMS[type].title.en
}

export function menuOf(type: QuestionType): { sign: string; family: Family } {
  return FORMS[type]
}

/** Each setting of a type besides the texts and `required`, in the order of a form. */
export function settingsOf(type: QuestionType): ReadonlyArray<[name: string, setting: Setting]> {
  return Object.entries(FORMS[type].settings as Record<string, Setting>)
}

export const QUESTION_TYPES = /* @__PURE__ */ Object.keys(FORMS) as QuestionType[]

/** The menu of types. */
export const FAMILIES = /* @__PURE__ */ FAMILY_NAMES.map((name) => ({
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
