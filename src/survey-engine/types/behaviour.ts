import type { Say } from '../language/messages.ts'
import type {
  AnswerValue,
  ConditionLeaf,
  LocalizedText,
  MatrixLine,
  Operator,
  Question,
  Issues,
} from '../model/definition.ts'

/** All that the engine knows about one question type. A member with `?` has a default, which its comment names. */
export interface Behaviour<Q = Question, K extends Kind = Kind> extends Answering<Q>, Checking<Q>, Talking<Q> {
  /** Pages, forms, reports and exports go by it. */
  kind: K
  /** How conditions compare the answers. */
  comparison(question: Q): Comparison<Q>
  /** The answer in the words of a text that repeats it. */
  show(value: AnswerValue, question: Q, showing: Showing): string
  /** The whole numbers that answer it, where these are few and have a control each; default null. */
  scale?(question: Q): Scale
}

/**
 * An answer is one of a few whole numbers (`scale`), a number of a range, one or several choices, all of them in an
 * order, a choice for each row, words, a day, yes or no, or words in several fields. A text that is shown takes `none`.
 */
export type Kind = 'scale' | 'number' | 'choice' | 'ranking' | 'matrix' | 'text' | 'date' | 'yes' | 'fields' | 'none'

interface Answering<Q> {
  /** Reads a raw answer other than null. Text holds numbers as `language` writes them. */
  read(raw: unknown, question: Q, language: string): Reading
  /** Names the parts that a completed response still lacks; default null. */
  lacking?(value: AnswerValue | undefined, question: Q, required: boolean): string | null
  /** The settings ask for an answer even where `required` is not set; default false. */
  isRequired?(question: Q): boolean
  /** It takes several of its choices; default false. */
  takesSeveral?(question: Q): boolean
  /** The answer refuses the whole survey; default false. */
  refuses?(value: AnswerValue): boolean
  /** Parts the answer from the words that the respondent typed; default: it holds no such words. */
  split?(value: AnswerValue): StoredParts
  /** The inverse of `split`. */
  join?(parts: StoredParts, question: Q): AnswerValue | undefined
}

interface Checking<Q> {
  /** Reports settings that not even a draft may have; default none. */
  checkDraft?(issues: Issues, question: Q, path: string): void
  /** Reports settings that cannot work for a respondent; default none. */
  checkPublish?(issues: Issues, question: Q, path: string): void
  /** How many controls a page draws for it; default 1. */
  controls?(question: Q): number
  /** How many lines its report may have; default: one for each control. */
  reportLines?(question: Q): number
  /** Conditions search the answer for words; default false. */
  isSearched?: true
}

/** A conversation asks the question by message or by phone. */
interface Talking<Q> {
  /** Says how to answer, a line each. */
  ask(question: Q, asking: Asking): string[]
  /** The raw answer that a reply gives, `MANY` where it gives several, null where it gives none. */
  reply(heard: Heard, question: Q): unknown
  /** Says why a reply that was read is no answer; default `unclear`. */
  problemOf?(raw: unknown, question: Q): Problem
  /** The lines that a reply picks from; default none. */
  options?(question: Q): MatrixLine[]
  /** The rows or fields that it is asked in, one a turn; default none, so that it takes one turn. */
  parts?(question: Q): string[]
  /** Whether this part may be left out; default: where the question may. */
  isPartOptional?(part: string | null, question: Q, known: { required: boolean; answered: boolean }): boolean
  /** A reply may be longer than a message; default false. */
  takesLongReplies?: true
  /** Why the question does not suit a call; default null. */
  unspeakable?(question: Q): string | null
  /** Warns an author who asks it in this channel; default none. */
  lint?(question: Q, channel: 'sms' | 'voice'): string[]
}

/** How conditions compare one kind of answer. */
export interface Comparison<Q = Question> {
  operators: readonly Operator[]
  operand(value: AnswerValue): Operand
  /** Says what to compare with, where one of these values cannot be an answer; else null. */
  misfit(values: ConditionMember[], question: Q): string | null
  /** `eq` and `ne` may compare with an array; default false. */
  comparesSets?: true
  /** Says why no answer passes the test, else null; default null. */
  impossible?(leaf: ConditionLeaf, question: Q, holds: (operand: Operand) => boolean): string | null
  /** Every answer that can be given; default: there is no end to them. */
  everyAnswer?(question: Q): AnswerValue[]
}

/** A condition compares with this: a matrix stands as `row:column` pairs, an "other" answer as `other`. */
export type Operand = string | number | boolean | readonly string[]
export type ConditionMember = string | number | boolean

/** A valid answer in its normalised form, or its problem, or null where nothing was answered. */
export type Reading = { value: AnswerValue } | { problem: string } | null

export interface Scale {
  min: number
  max: number
}

/** `answer` holds no words of the respondent's own: a chosen "other" stands as `other`. */
export interface StoredParts {
  answer?: StoredValue | undefined
  text?: StoredWords | undefined
}

export type StoredValue = number | boolean | string | string[] | Record<string, string>
/** Words that the respondent typed; an object of fields for a contact question. */
export type StoredWords = string | Record<string, string>

/** The words of a language, for a text that repeats an answer. */
export interface Showing {
  say: Say
  label(text: LocalizedText): string
}

/** The words of a language, for a question that is asked in a conversation. */
export interface Asking extends Showing {
  spoken: boolean
  language: string
  /** The row of a matrix, or the field of a contact question. */
  part: string | null
  /** A label with its placeholders filled. */
  filled(text: LocalizedText | undefined): string
}

/** A reply, and all that helps to understand it. */
export interface Heard {
  text: string
  spoken: boolean
  language: string
  /** The row of a matrix, or the field of a contact question, that was asked. */
  part: string | null
  /** The answer of earlier turns to the same question. */
  before: AnswerValue | undefined
  /** `YYYY-MM-DD` where the person is; null where nobody knows. */
  today: string | null
  label(text: LocalizedText): string
}

/** Why a reply is no answer: a key of the words that say so, after `reply_`. */
export type Problem = 'unclear' | 'many' | 'required' | 'too_long' | 'count' | 'date'

/** A reply that names several answers to a question that takes one. */
export const MANY = Symbol('many')
