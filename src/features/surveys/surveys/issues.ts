import { unprocessable, type Issue } from '../../../http/problems/problem.ts'
import type { QuestionType, SurveyDefinition } from '../../../survey-engine/model/definition.ts'

interface Period {
  starts_at: Date | null
  closes_at: Date | null
}

/** @throws Problem 422 `invalid_survey` with the first 100 issues, if there are any. */
export function refuse(issues: Issue[]): void {
  if (issues.length > 0)
    throw unprocessable(
      'invalid_survey',
      issues.slice(0, 100),
      'The survey cannot work with this definition. `issues` has the reasons.',
    )
}

/** A published question keeps its type. */
export function frozenIssues({ questions }: SurveyDefinition, frozen: Record<string, QuestionType>): Issue[] {
  return questions.flatMap(({ id, type }, index): Issue[] => {
    const published = Object.hasOwn(frozen, id) ? frozen[id] : undefined
    if (published === undefined || published === type) return []
    return [
      {
        path: `questions.${index}.type`,
        message: `${id} was published with the type ${published}, which cannot change. Use another id for a new question.`,
      },
    ]
  })
}

export function periodIssues({ starts_at, closes_at }: Period): Issue[] {
  return starts_at && closes_at && closes_at <= starts_at
    ? [{ path: 'closes_at', message: 'Choose a time after starts_at.' }]
    : []
}

/** A survey whose end has passed can take no answers. */
export function closingIssues({ closes_at }: Pick<Period, 'closes_at'>, now: Date): Issue[] {
  return closes_at && closes_at <= now
    ? [{ path: 'closes_at', message: 'This time has passed. Choose a later one, or null.' }]
    : []
}
