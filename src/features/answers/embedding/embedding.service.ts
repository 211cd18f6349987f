import { accentOn } from '../../../platform/look/accent.ts'
import { LIGHT } from '../../../platform/look/tokens.ts'
import type { Id, TenantId } from '../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import { messagesFor } from '../../../survey-engine/language/messages.ts'
import type { Targeting } from '../../../survey-engine/model/definition.ts'
import { languageFor } from '../../../survey-engine/language/nearest.ts'
import { readWorkspace } from '../../access/workspaces/workspaces.service.ts'
import { readOpenSurvey } from '../../surveys/surveys/published-surveys.service.ts'
import { findTenant } from '../../../platform/database/directory.ts'

/** The rules that the embed script needs before it shows anything. */
export interface EmbedRules {
  targeting: Targeting
  /** The name of the frame, for people who do not see it. */
  title: string
  close: string
  feedback: string
  /** The colour of the button, and of its text. */
  accent: [string, string]
}

/** @throws the Problems of `readOpenSurvey`. */
export async function readEmbedRules(
  scope: Scope,
  surveyId: Id<'survey'>,
  asked: string | undefined,
): Promise<{ rules: EmbedRules; embedOrigins: string[]; isAnonymous: boolean }> {
  const [{ definition }, { name, branding, embed_origins }] = await scope.read((tx) =>
    Promise.all([readOpenSurvey(scope, tx, surveyId), readWorkspace(tx)]),
  )
  const own = messagesFor(languageFor(definition, [asked]), definition)
  const { color, text } = accentOn({ ...branding, ...definition.theme }.color ?? LIGHT.accent, LIGHT.paper)
  return {
    rules: {
      targeting: definition.targeting ?? {},
      title: `${own('feedback')} – ${name}`,
      close: own('close'),
      feedback: own('feedback'),
      accent: [color, text],
    },
    embedOrigins: embed_origins,
    isAnonymous: definition.privacy === 'anonymous',
  }
}

export function resolveSurvey(system: SystemScope, id: Id<'survey'>): Promise<TenantId | null> {
  return system.tx((tx) => findTenant(tx, 'survey', id))
}
