import { settle } from '../../src/features/answers/capture/submission/settlement.service.ts'
import { readAudience } from '../../src/features/answers/responses/completion.service.ts'
import { addResponse } from '../../src/features/answers/responses/recording.service.ts'
import type { ResponseRow } from '../../src/features/answers/responses/responses.service.ts'
import { blankResponse } from '../../src/features/answers/rows/response-row.ts'
import { readOpenSurvey, type PublishedSurvey } from '../../src/features/surveys/surveys/published-surveys.service.ts'
import { newId } from '../../src/platform/ids.ts'
import type { Scope } from '../../src/platform/scope.ts'
import { evaluate } from '../../src/survey-engine/logic/evaluation.ts'
import type { DemoResponse } from './history.ts'
import type { Stage } from './stage.ts'
import type { Programme } from './texts.ts'

const IN_ONE_TRANSACTION = 200

type Published = Record<Programme, PublishedSurvey>

/**
 * Stores responses of the past by the verbs of capture, each at its time. Many share a transaction and what it has
 * read, so that the embedded database takes them within two minutes.
 */
export async function submitAll(stage: Stage, responses: readonly DemoResponse[]): Promise<void> {
  for (let first = 0; first < responses.length; first += IN_ONE_TRANSACTION) {
    const some = responses.slice(first, first + IN_ONE_TRANSACTION)
    const scope = stage.respondent(some.at(-1)?.at ?? stage.today)
    await scope.tx(async (tx) => {
      const shared = await readAudience(scope, tx)
      const { purchase, support, onboarding } = stage.surveys
      const published = {
        purchase: await readOpenSurvey(scope, tx, purchase),
        support: await readOpenSurvey(scope, tx, support),
        onboarding: await readOpenSurvey(scope, tx, onboarding),
      }
      for (const response of some) {
        const own = stage.respondent(response.at)
        // Alerts and leads take the time of their response.
        const audience = makesMore(response) ? await readAudience(own, tx) : shared
        await addResponse(own, tx, rowOf(stage, own, response, published), audience)
      }
    })
  }
}

function makesMore({ answers: { score, contact } }: DemoResponse): boolean {
  return contact !== undefined || Number(score) <= 3
}

function rowOf(stage: Stage, scope: Scope, given: DemoResponse, published: Published): ResponseRow {
  const survey = published[given.programme]
  const { answers, customData: custom_data, completed, language, channel } = given
  const evaluation = evaluate(survey.definition, { answers, custom_data, completed, language })
  if (evaluation.issues.length > 0) throw new Error(`an answer of the demo is wrong: ${evaluation.issues[0]?.message}`)
  const beginning = { id: newId('response'), survey_id: survey.id, survey_version: survey.version, channel, language }
  const row: ResponseRow = {
    ...blankResponse(given.startedAt, beginning),
    agent_id: stage.agentIds.get(String(custom_data['agent_id'])) ?? null,
    updated_at: given.at,
  }
  return settle(scope, survey, evaluation, { full: null, revising: false }, row).row
}
