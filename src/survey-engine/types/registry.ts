import type { Question, QuestionOf, QuestionType, SurveyDefinition } from '../model/definition.ts'
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
