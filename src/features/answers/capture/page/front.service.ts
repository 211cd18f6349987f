import { newId, type Id } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { field, type Fields } from '../../../../survey-engine/forms/answers.ts'
import { evaluate } from '../../../../survey-engine/logic/evaluation.ts'
import { settledQuotas } from '../../../../survey-engine/logic/quotas.ts'
import { shuffledLines } from '../../../../survey-engine/logic/shuffle.ts'
import type { SurveyDefinition } from '../../../../survey-engine/model/definition.ts'
import { LOOK, readLook, readWorkspace } from '../../../access/workspaces/workspaces.service.ts'
import {
  findFront,
  type PublishedSurvey,
  readCurrentSurvey,
} from '../../../surveys/surveys/published-surveys.service.ts'
import { placesIn } from '../../../surveys/surveys/quotas.service.ts'
import { sealStartToken } from '../submission/start-tokens.service.ts'
import { OPEN_CHANNELS } from '../capture.schema.ts'
import { pageScript } from './page-data.ts'
import type { Brand, FormView, PageScript } from './respondent-view.ts'
import { brandOf, pickLanguage } from './visit.service.ts'

/** The first page for a visitor who brings nothing of their own. It differs from that of others only in its end. */
export interface Front {
  /** Names everything that the page depends on. A version of a survey never changes. */
  key: string
  language: string
  brand: () => Brand
  hidden: [string, string][]
  script: PageScript
}

/**
 * Reads in one round trip whether the survey is open right now, and how its page looks. Null if the visitor, or the
 * survey, needs a page of their own, and for everything that is refused.
 */
export async function readFront(
  scope: Scope,
  surveyId: Id<'survey'>,
  link: Fields,
  acceptLanguage: string,
): Promise<Front | null> {
  if ([...link.keys()].some((name) => PERSONAL.test(name))) return null
  const found = await findFront(scope, surveyId, LOOK)
  if (!found || !isAlike(found.survey, link)) return null
  const { survey, look } = found
  const { version, definition } = survey
  const language = pickLanguage(definition, field(link, 'lang'), acceptLanguage)
  const script = pageScript(scope.caches, definition, version)
  if (!script) return null
  const channel = field(link, 'channel')
  return {
    key: [surveyId, version, language, script.src, script.proof?.src, look].join(' '),
    language,
    brand: () => brandOf(scope.caches, readLook(look), definition.theme),
    hidden: [
      ['_lang', language],
      ['_page', '0'],
      ...(channel === undefined ? [] : [['_channel', channel] satisfies [string, string]]),
      ['_begun', sealStartToken(scope, surveyId, newId('response'))],
    ],
    script,
  }
}

/** Whether a page that was drawn a moment later is still the one of this front. */
export function isOfFront({ language, brand, script }: Front, view: FormView): boolean {
  const { src, version, proof } = view.script ?? {}
  return (
    src === script.src &&
    proof?.src === script.proof?.src &&
    version === script.version &&
    view.language === language &&
    JSON.stringify(view.brand) === JSON.stringify(brand())
  )
}

// Tokens, and fields that only a form sends.
const PERSONAL = /^(_|(token|device|response|r)$)/

/** Whether everybody with such a link gets the same page. */
function isAlike(survey: PublishedSurvey, link: Fields): boolean {
  const { definition } = survey
  const recognises = definition.dedupe === 'device' || definition.dedupe === 'single_use'
  return (
    !recognises &&
    definition.questions.every((question) => shuffledLines(question) === null) &&
    [...link].every(([name, [value]]) =>
      name === 'channel' ? OPEN_CHANNELS.some((one) => one === value) : !fills(definition, name),
    ) &&
    !isFull(survey)
  )
}

/** Whether a parameter of a link is a custom field, or an answer such as `a.q1` and `q1.other`. */
function fills({ custom_fields, questions }: SurveyDefinition, name: string): boolean {
  const [id] = name.replace(/^a\./, '').split('.', 1)
  return custom_fields.includes(name) || questions.some((question) => question.id === id)
}

function isFull(survey: PublishedSurvey): boolean {
  const { definition } = survey
  if (definition.quotas.length === 0) return false
  const blank = evaluate(definition, { answers: {}, custom_data: {}, completed: false })
  return placesIn(survey, settledQuotas(definition, blank), null) === null
}

/** The look and the words of the page of a survey that takes no answers. */
export interface Refused {
  brand: Brand
  definition: SurveyDefinition
}

/** @throws Problem 404. */
export async function readRefused(scope: Scope, surveyId: Id<'survey'>): Promise<Refused> {
  const [{ definition }, workspace] = await scope.read((tx) =>
    Promise.all([readCurrentSurvey(scope, tx, surveyId), readWorkspace(tx)]),
  )
  return { brand: brandOf(scope.caches, workspace, definition.theme), definition }
}
