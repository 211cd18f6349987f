import type { SurveyMessages } from '../words/message-keys.ts'
import { LIMITS } from './limits.ts'

/** A plain string serves every language; an object is keyed by language tag (`en`, `pt-BR`). */
export type LocalizedText = string | Record<string, string>

export interface SurveyDefinition {
  metric: Metric | null
  default_language: string
  languages?: string[]
  /** Texts for respondents in more languages, or in the survey's own words. */
  messages?: SurveyMessages
  questions: Question[]
  logic: Rule[]
  custom_fields: string[]
  variables?: Variables
  endings: Ending[]
  quotas: Quota[]
  dedupe: 'none' | 'device' | 'contact' | 'single_use'
  /** `single_use` takes tokens of invitations and links that Earshot made (`issued`, the default), or any text. */
  single_use_tokens?: 'issued' | 'any'
  /** Whether invited people may change a completed response until the survey closes. Default: unless `single_use`. */
  allow_changes?: boolean
  lead_capture?: LeadCapture
  /** `anonymous`: nobody learns who gave a response, or when. `open` is the default. */
  privacy?: 'open' | 'anonymous'
  /** The page with JavaScript shows one question a screen (`question`, the default) or all on one `page`. */
  layout?: 'question' | 'page'
  targeting?: Targeting
  /** The look, where it differs from the workspace's. */
  theme?: Theme
  /** The page solves a puzzle for each new response. One without the proof is quarantined. */
  proof_of_work?: boolean
}

/** A picture that is null, or a colour, is the built-in one. */
export interface Theme {
  logo_url?: string | null
  color?: string | null
  background?: string | null
  corners?: 'square' | 'rounded' | 'round'
  layout?: 'plain' | 'card' | 'split'
  cover_url?: string | null
  font?: 'system' | 'serif' | 'inter' | 'nunito' | 'literata'
}

/** When a survey embedded in a website opens by itself. All that are given must hold. */
export interface Targeting {
  /** Whole addresses; `*` stands for any part. One must match. */
  urls?: string[]
  /** Names of events that the website tracks. Any of them opens the survey. */
  events?: string[]
  /** The share of visitors, 0 to 1. */
  sample?: number
  delay_ms?: number
  recontact?: Recontact
}

/** `every_days` asks the same browser again after so many days. */
export type Recontact = 'once' | 'until_answered' | { every_days: number }

/** Completing a response makes a lead of its contact. Without the consent that it names, it makes none. */
export interface LeadCapture {
  contact: string
  consent?: string
  when?: Condition
}

export const METRICS = ['nps', 'csat', 'ces'] as const
export type Metric = (typeof METRICS)[number]

/** The bands of the scores of each metric, the best first. */
export const BANDS = {
  nps: ['promoter', 'passive', 'detractor'],
  csat: ['satisfied', 'neutral', 'dissatisfied'],
  ces: ['easy', 'neutral', 'difficult'],
} as const satisfies Record<Metric, readonly string[]>
export type Band = (typeof BANDS)[Metric][number]

export type Variables = Record<string, number | string>
export type CustomData = Record<string, string | number | boolean>

export type Question =
  | ScoreQuestion
  | CsatQuestion
  | RatingQuestion
  | SliderQuestion
  | ChoiceQuestion
  | MultiQuestion
  | PictureQuestion
  | RankingQuestion
  | MatrixQuestion
  | OpenTextQuestion
  | DateQuestion
  | ContactQuestion
  | PlainQuestion

export type QuestionType = Question['type']
/** The settings of a question of one type. */
export type QuestionOf<Type extends QuestionType> = Having<Question, Type>
type Having<Member, Type> = Member extends { type: infer Own } ? (Type extends Own ? Member : never) : never

interface QuestionBase {
  id: string
  title: LocalizedText
  description?: LocalizedText
  required?: boolean
}

interface ScaleLabels {
  low_label?: LocalizedText
  high_label?: LocalizedText
}

export interface ScoreQuestion extends QuestionBase, ScaleLabels {
  type: 'nps' | 'ces'
}

/** How a page draws the steps of a scale. `number` is the default. */
export type ScaleStyle = 'number' | 'star' | 'smiley'

export interface CsatQuestion extends QuestionBase, ScaleLabels {
  type: 'csat'
  style?: ScaleStyle
}

/** Scores run from 1 to `scale` (3–10). */
export interface RatingQuestion extends QuestionBase, ScaleLabels {
  type: 'rating'
  scale: number
  style?: ScaleStyle
}

/** Numbers run from `min` (default 0) to `max` (default 100) in steps of `step` (default 1). */
export interface SliderQuestion extends QuestionBase, ScaleLabels {
  type: 'slider'
  min?: number
  max?: number
  step?: number
}

export interface Choice {
  id: string
  label: LocalizedText
  image_url?: string
}

/** How a page orders choices, or the rows of a matrix, for each respondent. A free "other" always comes last. */
interface Shuffled {
  shuffle?: 'none' | 'all' | 'all_but_last'
}

export interface ChoiceQuestion extends QuestionBase, Shuffled {
  type: 'single' | 'dropdown'
  choices: Choice[]
  allow_other?: boolean
}

/** `min_choices` and `max_choices` count a chosen "other". */
export interface MultiQuestion extends QuestionBase, Shuffled {
  type: 'multi'
  choices: Choice[]
  allow_other?: boolean
  min_choices?: number
  max_choices?: number
}

export interface PictureQuestion extends QuestionBase, Shuffled {
  type: 'picture'
  choices: Choice[]
  allow_other?: boolean
  multiple?: boolean
}

export interface RankingQuestion extends QuestionBase, Shuffled {
  type: 'ranking'
  choices: Choice[]
}

export interface MatrixQuestion extends QuestionBase, Shuffled {
  type: 'matrix'
  rows: MatrixLine[]
  columns: MatrixLine[]
}

export interface MatrixLine {
  id: string
  label: LocalizedText
}

export type TextFormat = 'text' | 'email' | 'url' | 'number' | 'phone'

/** `format` is `text` unless set; `max_length` counts UTF-16 units, as an HTML `maxlength` does (default 5,000). */
export interface OpenTextQuestion extends QuestionBase {
  type: 'open_text'
  format?: TextFormat
  max_length?: number
}

/** `min` and `max` are inclusive, `YYYY-MM-DD`. */
export interface DateQuestion extends QuestionBase {
  type: 'date'
  min?: string
  max?: string
}

export type ContactField = 'name' | 'email' | 'phone' | 'company'

/** `fields` is name and email unless set; `required_fields` hold even where the question itself is optional. */
export interface ContactQuestion extends QuestionBase {
  type: 'contact'
  fields?: ContactField[]
  required_fields?: ContactField[]
}

export interface PlainQuestion extends QuestionBase {
  type: 'consent' | 'statement'
}

/**
 * Anchored at `after`, else at the latest question that `when` mentions, else before the first question.
 * With `after` the rule applies only when the respondent was shown that question.
 */
export interface Rule {
  id?: string
  after?: string
  when: Condition
  then: Action[]
}

export type Condition = { all: Condition[] } | { any: Condition[] } | ConditionLeaf
export type ConditionLeaf = LeafTest & ({ question: string } | { custom: string } | { variable: string })
export type ConditionValue = string | number | boolean | (string | number)[]

interface LeafTest {
  op: Operator
  value?: ConditionValue
}

export const OPERATORS = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'contains',
  'starts_with',
  'ends_with',
  'one_of',
  'all_of',
  'is_answered',
  'is_skipped',
  'before',
  'after',
] as const
export type Operator = (typeof OPERATORS)[number]

export type Action =
  | { action: 'jump'; to: string }
  | { action: 'require' | 'show' | 'hide'; question: string }
  | CalculateAction
  | { action: 'end'; ending?: string }

export interface CalculateAction {
  action: 'calculate'
  variable: string
  operation: 'set' | 'add' | 'subtract' | 'multiply' | 'divide'
  value: number | string | { question: string } | { variable: string }
}

export interface Ending {
  id: string
  title: LocalizedText
  message?: LocalizedText
  redirect_url?: string
  outcome?: 'completed' | 'screened_out'
  /** The id of a badge that the page shows, and that people may share. */
  badge?: string
}

/** At most `limit` responses that match `when`. Without `when`, all responses count. */
export interface Quota {
  id: string
  when?: Condition
  limit: number
}

/** `path` is dotted, as in `logic.0.then.0.to`; `message` says what to do. */
export interface Issue {
  path: string
  message: string
}

export type OtherAnswer = { other: string }

export type Choosing = string | OtherAnswer

/** The normalised answer; the question's type says which member it is. */
export type AnswerValue = number | boolean | Choosing | Choosing[] | Record<string, string>
export type AnswerValues = Record<string, AnswerValue>

/** Collects issues up to the ceiling, so that a hostile definition cannot make a huge report. */
export class Issues {
  readonly found: Issue[] = []

  /** True if it takes no more issues, so that checks can stop. */
  get isFull(): boolean {
    return this.found.length >= LIMITS.issues
  }

  add(path: string, message: string): void {
    if (!this.isFull) this.found.push({ path, message })
  }
}
