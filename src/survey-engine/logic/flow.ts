import type {
  Action,
  AnswerValue,
  AnswerValues,
  CustomData,
  Question,
  SurveyDefinition,
  Variables,
} from '../model/definition.ts'
import { calculate } from './calculate.ts'
import { holds, type Lookup } from './condition.ts'
import { lookupIn } from './lookup.ts'
import { questionPositions } from '../model/names.ts'
import { START, rulesByAnchor, shownByRule } from './rules.ts'

/** The path through the survey, on which unanswered questions count as skipped. */
export interface Route {
  path: Question[]
  /** Questions on the path that a `require` action asks for. */
  required: Set<string>
  /** The answers on the path. */
  values: AnswerValues
  variables: Variables
  /** The `end` action that ended the walk; null when the walk ran off the last question. */
  end: { ending: string | undefined } | null
}

/**
 * Walks the survey with the answers given. Conditions see only answers that the walk has passed, so an answer left
 * behind on another branch decides nothing. It always ends: jumps go forward, others are ignored.
 */
export function routeThrough(
  definition: SurveyDefinition,
  answers: ReadonlyMap<string, AnswerValue>,
  customData: CustomData,
): Route {
  const walk = beginWalk(definition, customData)
  let at = START
  let exit = leave(walk, at, 'shown')
  while (!exit.end) {
    const next = exit.jump ?? at + 1
    for (let skipped = at + 1; skipped < next; skipped++) leave(walk, skipped, 'jumped_over')
    const question = definition.questions[next]
    if (!question) break
    const shown = walk.visible.get(question.id) ?? true
    if (shown) visit(walk, question, answers.get(question.id))
    exit = leave(walk, next, shown ? 'shown' : 'hidden')
    at = next
  }
  const { path, required, values, variables } = walk
  return {
    path,
    required: new Set(path.map(({ id }) => id).filter((id) => required.has(id))),
    values,
    variables,
    end: exit.end,
  }
}

interface Walk {
  rules: ReturnType<typeof rulesByAnchor>
  positions: Map<string, number>
  lookup: Lookup
  visible: Map<string, boolean>
  path: Question[]
  required: Set<string>
  values: AnswerValues
  variables: Variables
}

interface Exit {
  jump: number | null
  end: { ending: string | undefined } | null
}

function beginWalk(definition: SurveyDefinition, customData: CustomData): Walk {
  const values: AnswerValues = {}
  const variables: Variables = { ...definition.variables }
  return {
    rules: rulesByAnchor(definition),
    positions: questionPositions(definition),
    lookup: lookupIn(definition, values, customData, variables),
    visible: new Map([...shownByRule(definition)].map((id) => [id, false])),
    path: [],
    required: new Set(),
    values,
    variables,
  }
}

function visit(walk: Walk, question: Question, value: AnswerValue | undefined): void {
  walk.path.push(question)
  if (value !== undefined) walk.values[question.id] = value
}

/**
 * Applies the rules anchored at a question. A rule with `after` applies only if the question was shown. A rule whose
 * anchor follows from its condition also applies if the question was hidden. If it was jumped over, the rule applies
 * without its jump and end.
 */
function leave(walk: Walk, at: number, how: 'shown' | 'hidden' | 'jumped_over'): Exit {
  const exit: Exit = { jump: null, end: null }
  for (const rule of walk.rules.get(at) ?? []) {
    if (rule.after !== undefined && how !== 'shown') continue
    if (!holds(rule.when, walk.lookup)) continue
    for (const action of rule.then) {
      const leaves = action.action === 'jump' || action.action === 'end'
      if (!leaves) applyAction(walk, action)
      else if (how !== 'jumped_over' && exit.jump === null && exit.end === null) setExit(walk, exit, action, at)
    }
  }
  return exit
}

function setExit(walk: Walk, exit: Exit, action: Action, at: number): void {
  if (action.action === 'end') exit.end = { ending: action.ending }
  if (action.action !== 'jump') return
  const target = walk.positions.get(action.to)
  if (target !== undefined && target > at) exit.jump = target
}

function applyAction(walk: Walk, action: Action): void {
  switch (action.action) {
    case 'show':
    case 'hide':
      walk.visible.set(action.question, action.action === 'show')
      return
    case 'require':
      walk.required.add(action.question)
      return
    case 'calculate':
      calculate(walk.variables, action, walk.lookup)
  }
}
