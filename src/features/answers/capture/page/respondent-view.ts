import type { Id } from '../../../../platform/ids.ts'
import type { Ending, SurveyDefinition, Theme } from '../../../../survey-engine/model/definition.ts'
import type { Evaluation } from '../../../../survey-engine/logic/evaluation.ts'
import type { Orders } from '../../../../survey-engine/logic/shuffle.ts'
import type { ResponseState } from '../../rows/response-state.ts'
import type { Fields } from '../../../../survey-engine/forms/answers.ts'

/** The look of a page. A light background is for light screens, a dark one for all. */
export interface Look extends Required<Pick<Theme, 'color' | 'background' | 'corners' | 'layout' | 'font'>> {
  /** The file of the font. Null for a font of the device. */
  fontUrl: string | null
  coverUrl: string | null
}

/** The owner of the survey, as respondents see it. */
export interface Brand extends Look {
  name: string
  logoUrl: string | null
  /** Sites that may frame the page. None means every site. */
  embedOrigins: string[]
}

/** The program that shows the survey question by question. */
export interface PageScript {
  src: string
  nonce: string
  version: number
  /** Set if the survey asks for a proof of work. */
  proof?: Puzzle
}

/** The worker that proves, and how many zero bits the digest begins with. */
interface Puzzle {
  src: string
  bits: number
}

/** One page of questions. */
export interface FormView {
  kind: 'form'
  brand: Brand
  surveyId: Id<'survey'>
  definition: SurveyDefinition
  language: string
  languages: string[]
  evaluation: Evaluation
  questions: string[]
  /** The contents of the fields: typed, stored, or from the link. */
  fields: Fields
  /** Question id → the reason why its answer was refused. */
  errors: ReadonlyMap<string, string>
  hidden: [string, string][]
  page: number
  /** Absent for a survey too large for one page, and while nothing is built. */
  script?: PageScript
  /** The response that goes on, or null for a new one. */
  responseId: Id<'response'> | null
  /** The order of shuffled choices and rows. */
  orders: Orders
  /** Our words above the questions. */
  notice: 'preview' | 'revise' | null
}

/** A figure of the workspace that people may share. */
export interface EndBadge {
  /** The path of the picture on this server. */
  address: string
  alt: string
  style: 'flat' | 'card'
}

/** The last page. */
export interface EndView {
  kind: 'end'
  brand: Brand
  definition: SurveyDefinition
  language: string
  evaluation: Evaluation
  ending: Ending | null
  state: ResponseState
  notice: 'preview_over' | null
}
