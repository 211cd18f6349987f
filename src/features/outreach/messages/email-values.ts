import { onOwnPage } from '../../../platform/look/asset-address.ts'
import { formatId, type Id, type TenantId } from '../../../platform/ids.ts'
import type { SecretBox } from '../../../platform/config/secrets.ts'
import type { LocalizedText, SurveyDefinition } from '../../../survey-engine/model/definition.ts'
import { pipe, pipingBudget } from '../../../survey-engine/logic/piping.ts'
import { scoresIn } from '../../../survey-engine/types/families/scored.ts'
import { scaleOf, takesAnswer } from '../../../survey-engine/types/registry.ts'
import { localize } from '../../../survey-engine/model/text.ts'
import { languageFor } from '../../../survey-engine/language/nearest.ts'
import { type Recipient, sendToken } from '../../delivery/sends/send-secrets.ts'

interface Parts extends Said {
  tenantId: TenantId
  sendId: Id<'send'>
  surveyId: Id<'survey'>
}

interface Said {
  surveyName: string
  definition: SurveyDefinition
  recipient: Pick<Recipient, 'name' | 'customData'>
  language: string | null
  /** 0 for the invitation. */
  reminder: number
  words: LocalizedText | null
  workspace: { name: string; branding: { logo_url: string | null; color: string | null } }
}

export interface EmailLinks {
  survey: string
  unsubscribe: string
}

export function linksOf(
  secrets: SecretBox,
  baseUrl: string,
  { tenantId, sendId, surveyId, definition, language }: Parts,
): EmailLinks {
  const ticket = { tenantId, id: sendId }
  const query = new URLSearchParams({
    lang: languageFor(definition, [language]),
    token: sendToken(secrets, 'respond', ticket),
  })
  return {
    survey: `${baseUrl}/public/s/${formatId('survey', surveyId)}?${query}`,
    unsubscribe: `${baseUrl}/public/unsubscribe/${sendToken(secrets, 'unsubscribe', ticket)}`,
  }
}

/** The values of a template's variables. A link with a score only preselects it: a person still sends it off. */
export function variablesOf(parts: Said, links: EmailLinks) {
  const { definition, recipient, workspace, surveyName } = parts
  const language = languageFor(definition, [parts.language])
  const first = definition.questions.find(takesAnswer)
  const scale = first ? scaleOf(first) : null
  const context = {
    definition,
    values: {},
    custom_data: recipient.customData,
    variables: { ...definition.variables },
    language,
    budget: pipingBudget(),
  }
  const say = (text: Parameters<typeof localize>[0] | undefined) =>
    text === undefined ? '' : pipe(localize(text, language, definition.default_language), context)
  const labels =
    first && 'low_label' in first
      ? { low_label: say(first.low_label), high_label: say(first.high_label) }
      : { low_label: '', high_label: '' }
  return {
    name: recipient.name,
    language,
    reminder: parts.reminder,
    words: parts.words === null ? '' : localize(parts.words, language, definition.default_language),
    survey: { name: surveyName, question: first ? say(first.title) : '', scale: scale && { ...scale, ...labels } },
    workspace: { name: workspace.name, ...pictured({ ...workspace.branding, ...definition.theme }) },
    survey_url: links.survey,
    unsubscribe_url: links.unsubscribe,
    score_urls:
      first && scale ? scoresIn(scale).map((value) => ({ value, url: `${links.survey}&${first.id}=${value}` })) : [],
    custom: recipient.customData,
  }
}

/** A mail has the logo and the colour of the page that it leads to. */
function pictured({ logo_url, color }: Said['workspace']['branding']) {
  return { logo_url: logo_url && onOwnPage(logo_url) && logo_url, color }
}
