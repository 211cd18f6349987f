import type { CalculateAction, Variables } from '../model/definition.ts'
import type { Operand } from '../types/behaviour.ts'
import type { Lookup } from './condition.ts'
import { parseNumber } from '../model/formats.ts'
import { own } from '../model/record.ts'

/**
 * Changes the variable in place. Nothing happens if the operand is unanswered, is not a number (only `set` takes text),
 * or gives a result that is not finite, such as a division by 0. An undeclared variable starts at 0.
 */
export function calculate(variables: Variables, action: CalculateAction, lookup: Lookup): void {
  const operand = scalar(operandOf(action, lookup))
  if (operand === undefined) return
  const result =
    action.operation === 'set' ? operand : arithmetic(own(variables, action.variable) ?? 0, action, operand)
  if (result === null || (typeof result === 'number' && !Number.isFinite(result))) return
  variables[action.variable] = result
}

function operandOf({ value }: CalculateAction, lookup: Lookup): Operand | undefined {
  if (typeof value !== 'object') return value
  return lookup({ ...value, op: 'is_answered' })
}

function scalar(operand: Operand | undefined): number | string | undefined {
  if (typeof operand === 'boolean') return Number(operand)
  return typeof operand === 'object' ? undefined : operand
}

function arithmetic(current: number | string, action: CalculateAction, operand: number | string): number | null {
  const left = typeof current === 'number' ? current : parseNumber(current)
  const right = typeof operand === 'number' ? operand : parseNumber(operand)
  if (left === null || right === null) return null
  switch (action.operation) {
    case 'add':
      return left + right
    case 'subtract':
      return left - right
    case 'multiply':
      return left * right
    case 'divide':
      return left / right
    case 'set':
      return right
  }
}
