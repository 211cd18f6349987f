import { anchorOf } from '../../../../../src/survey-engine/logic/rules.ts'
import { questionPositions } from '../../../../../src/survey-engine/model/names.ts'
import type { Draft } from './draft.ts'

export interface Issue {
  path: string
  message: string
}

/** The view of the builder that an issue belongs to, and the thing in it. */
export interface Problem extends Issue {
  view: 'questions' | 'languages' | 'endings' | 'quotas' | 'rules'
  /** The question, ending or quota; null for the whole survey. */
  id: string | null
  /** Within the thing, such as `title` or `choices.0.label`; for a rule `logic.2` and the rest. */
  member: string
}

/** Each issue with its place: one of a rule stands at the question after which the rule applies. */
export function placeIssues(issues: Issue[], draft: Draft): Problem[] {
  return issues.map((issue) => ({ ...issue, ...placeOf(issue.path, draft) }))
}

/** The languages that a text lacks; none for a problem of another kind. */
export function missingLanguages({ message }: Issue): string[] {
  return /^Add the translation for: (.+)\.$/.exec(message)?.[1]?.split(', ') ?? []
}

function placeOf(path: string, draft: Draft): Pick<Problem, 'view' | 'id' | 'member'> {
  const [list = '', place = '', ...rest] = path.split('.')
  const at = Number(place)
  if (list === 'questions') return { view: 'questions', id: draft.questions[at]?.id ?? null, member: rest.join('.') }
  if (list === 'logic') {
    const rule = draft.logic[at]
    const anchor = rule ? anchorOf(rule, questionPositions(draft)) : null
    return { view: 'questions', id: draft.questions[Math.max(0, anchor ?? 0)]?.id ?? null, member: path }
  }
  if (list === 'endings') return { view: 'endings', id: draft.endings[at]?.id ?? null, member: rest.join('.') }
  if (list === 'quotas') return { view: 'quotas', id: draft.quotas[at]?.id ?? null, member: rest.join('.') }
  if (list === 'languages' || list === 'messages' || list === 'default_language')
    return { view: 'languages', id: null, member: path }
  return { view: 'rules', id: null, member: path }
}

/** The one thing of a survey that is added up: how many problems each question has. */
export function countById(problems: Problem[], view: Problem['view']): Map<string, number> {
  const counts = new Map<string, number>()
  for (const problem of problems)
    if (problem.view === view && problem.id !== null) counts.set(problem.id, (counts.get(problem.id) ?? 0) + 1)
  return counts
}
