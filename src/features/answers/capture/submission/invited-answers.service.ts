import type { Id } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { forgetResponse, lockFirstSend } from '../../../delivery/sends/sends.service.ts'
import { readDefinition } from '../../../surveys/surveys/published-surveys.service.ts'
import { alreadyAnswered, lockResponse } from '../../responses/recording.service.ts'
import { untilItCommits } from './attempts.service.ts'
import { readInvited } from './invited.service.ts'
import { mayRevise } from './revisions.service.ts'
import { addAnswers, beginResponse, type Captured, type FirstSubmission } from './submissions.service.ts'

// Another device of the same person began a response between two statements.
class BegunMeanwhile extends Error {}

/**
 * Takes answers by the link of an invitation: into the response of this person, if there is one, whichever message led
 * to it. Two devices at once make one response, with the answers of the last.
 */
export function answerInvitation(
  scope: Scope,
  surveyId: Id<'survey'>,
  submission: FirstSubmission & { token: string },
): Promise<Captured> {
  // Not shared, because works in one transaction would not wait for each other's lock.
  return untilItCommits(
    scope,
    undefined,
    async (attempt) => {
      const { tx } = attempt
      const invited = await readInvited(scope, tx, surveyId, submission.token)
      if (invited?.responseId) {
        const row = await lockResponse(tx, invited.responseId)
        if (row && row.state !== 'deleted') {
          const definition = await readDefinition(scope, tx, surveyId, row.survey_version)
          if (row.completed_at && !(await mayRevise(scope, tx, row, definition))) throw alreadyAnswered()
          return addAnswers(scope, attempt, row.id, submission, row)
        }
        // It was deleted, or retention removed it. Another response of this person takes its place, unless they had
        // completed it.
        if ((await forgetResponse(tx, invited.responseId)) === 0) throw new BegunMeanwhile()
      } else if (invited) {
        // Capture locks a response before its send, so this transaction does not wait for a response now.
        await lockFirstSend(tx, invited.firstSendId)
        const now = await readInvited(scope, tx, surveyId, submission.token)
        if (now?.responseId) throw new BegunMeanwhile()
      }
      return beginResponse(scope, attempt, surveyId, submission)
    },
    (error) => error instanceof BegunMeanwhile,
  )
}
