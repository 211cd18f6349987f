import type { Action, CalculateAction, Rule, SurveyDefinition, Issues } from '../model/definition.ts'
import { checkCondition } from './condition-checks.ts'
import type { Names } from '../model/names.ts'
import { takesAnswer } from '../types/registry.ts'
import { anchorOf } from '../logic/rules.ts'

/** Reports rules that cannot work. `checkDraft` reports unknown questions. */
export function checkRule(issues: Issues, rule: Rule, path: string, definition: SurveyDefinition, names: Names): void {
  const anchor = anchorOf(rule, names.positions)
  if (anchor === null) return
  checkCondition(issues, rule.when, `${path}.when`, names, anchor)
  if (rule.then.length === 0) issues.add(`${path}.then`, 'Add an action.')
  for (const [index, action] of rule.then.entries()) {
    checkAction(issues, action, `${path}.then.${index}`, { anchor, definition, names })
  }
}

interface Placed {
  anchor: number
  definition: SurveyDefinition
  names: Names
}

function checkAction(issues: Issues, action: Action, path: string, placed: Placed): void {
  const { anchor, definition, names } = placed
  switch (action.action) {
    case 'jump': {
      const target = names.positions.get(action.to)
      if (target === undefined) issues.add(`${path}.to`, 'Name a question of this survey to jump to.')
      else if (target <= anchor)
        issues.add(`${path}.to`, 'Jump to a later question; this one leads back and would loop.')
      return
    }
    case 'end':
      if (action.ending !== undefined && !definition.endings.some(({ id }) => id === action.ending)) {
        issues.add(`${path}.ending`, 'Name an ending of this survey.')
      }
      return
    case 'show':
    case 'hide':
    case 'require': {
      const target = names.positions.get(action.question)
      const question = target === undefined ? undefined : names.questions[target]
      if (target !== undefined && target <= anchor) {
        issues.add(`${path}.question`, 'Name a later question; this one has passed when the rule applies.')
      } else if (action.action === 'require' && question && !takesAnswer(question)) {
        issues.add(`${path}.question`, 'Require a question that can be answered; a statement cannot.')
      }
      return
    }
    case 'calculate':
      checkCalculation(issues, action, path, placed)
  }
}

function checkCalculation(issues: Issues, { operation, value }: CalculateAction, path: string, placed: Placed): void {
  const { anchor, names } = placed
  if (typeof value !== 'object') {
    if (operation !== 'set' && typeof value !== 'number') issues.add(`${path}.value`, 'Calculate with a number.')
    if (operation === 'divide' && value === 0) issues.add(`${path}.value`, 'Divide by a number other than 0.')
    return
  }
  if ('variable' in value) {
    if (!names.variables.has(value.variable)) issues.add(`${path}.value.variable`, 'Declare this variable.')
    return
  }
  if ((names.positions.get(value.question) ?? -1) > anchor) {
    issues.add(`${path}.value.question`, 'Name a question that is answered before the rule applies, or move the rule.')
  }
}
