import type { Id } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { SurveyDefinition } from '../../../../survey-engine/model/definition.ts'
import { readWorkspace } from '../../../access/workspaces/workspaces.service.ts'
import { readCurrentSurvey } from '../../../surveys/surveys/published-surveys.service.ts'
import type { Brand } from './respondent-view.ts'
import { brandOf } from './brand.service.ts'

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
