import { type Id, formatId } from '../../../../platform/ids.ts'
import { MESSAGE_KEYS, type MessageKey, type SurveyMessages } from '../../../../survey-engine/words/message-keys.ts'
import { BUILT_IN, wordsLanguage } from '../../../../survey-engine/language/messages.ts'
import type { LocalizedText, Question, SurveyDefinition } from '../../../../survey-engine/model/definition.ts'
import { localize } from '../../../../survey-engine/model/text.ts'
import { randomBytes } from 'node:crypto'
import type { Caches } from '../../../../platform/config/caches.ts'
import { assetPath, webAssets } from '../../../../platform/look/web-assets.ts'
import { fitsOnePage } from '../../../../survey-engine/types/registry.ts'
import { PROOF_BITS } from '../submission/proof-of-work.ts'
import type { PageScript } from './respondent-view.ts'

/** The survey in one language, as the script of the page evaluates it. It holds no quotas and nothing of a person. */
export function definitionIn(definition: SurveyDefinition, language: string): SurveyDefinition {
  const say = (text: LocalizedText) => localize(text, language, definition.default_language)
  const { logic, custom_fields, variables, layout } = definition
  return {
    metric: null,
    default_language: language,
    languages: [language],
    messages: wordsIn(definition, language),
    questions: definition.questions.map((question) => questionIn(question, say)),
    logic,
    custom_fields,
    ...(variables && { variables }),
    endings: definition.endings.map(({ id, outcome }) => ({ id, title: '', ...(outcome && { outcome }) })),
    quotas: [],
    dedupe: 'none',
    ...(layout && { layout }),
  }
}

/** The JSON of a data block. It holds no `<`, so that nothing in it can end the block. */
export function dataBlock(value: object): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

/** The data that the script needs besides the form. */
export interface PageData {
  survey: string
  version: number
  language: string
  definition: SurveyDefinition
  /** HTML of the questions that the page does not show yet. */
  rest: string
}

export function pageData(
  surveyId: Id<'survey'>,
  version: number,
  definition: SurveyDefinition,
  language: string,
  rest: string,
): PageData {
  return {
    survey: formatId('survey', surveyId),
    version,
    language,
    definition: definitionIn(definition, language),
    rest,
  }
}

// Titles stand in the page. Labels are kept, because a text may repeat a choice.
function questionIn(question: Question, say: (text: LocalizedText) => string): Question {
  const { description: _, ...rest } = question
  const plain = { ...rest, title: '' }
  if ('choices' in plain)
    return { ...plain, choices: plain.choices.map(({ id, label }) => ({ id, label: say(label) })) }
  if ('rows' in plain)
    return {
      ...plain,
      rows: plain.rows.map(({ id, label }) => ({ id, label: say(label) })),
      columns: plain.columns.map(({ id, label }) => ({ id, label: say(label) })),
    }
  return plain
}

// Words of conversations and of other pages stay on the server.
const ELSEWHERE =
  /^(ask|reply|chat|say|call|greeting|link|invalid_text)_|^(already|closed|paused|not_yet|page|rank|slide|go_on|remind|stop_hint|language|name|email|phone|company|close|feedback|choose|share)$/
const PAGE_KEYS = MESSAGE_KEYS.filter((key) => !ELSEWHERE.test(key))

function wordsIn(definition: SurveyDefinition, language: string): SurveyMessages {
  const spoken = wordsLanguage(language)
  const own = { ...definition.messages?.[language.split('-', 1)[0] ?? ''], ...definition.messages?.[language] }
  const builtIn: Partial<Record<MessageKey, string | undefined>> = BUILT_IN[spoken] ?? {}
  return { [language]: Object.fromEntries(PAGE_KEYS.map((key) => [key, own[key] ?? builtIn[key]])) }
}

/** The program for the page of a survey's version. Undefined for a survey too large for it, and if nothing is built. */
export function pageScript(caches: Caches, definition: SurveyDefinition, version: number): PageScript | undefined {
  if (!fitsOnePage(definition)) return undefined
  const assets = webAssets(caches)
  const program = assets.program('respondent')
  const worker = definition.proof_of_work === true ? assets.program('proof') : undefined
  return (
    program && {
      src: assetPath(program),
      nonce: randomBytes(16).toString('base64url'),
      version,
      ...(worker && { proof: { src: assetPath(worker), bits: PROOF_BITS } }),
    }
  )
}
