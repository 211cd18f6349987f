import type { Rule, SurveyDefinition } from '../model/definition.ts'
import { leavesOf } from './condition.ts'
import { questionPositions } from '../model/names.ts'

/** The place of rules before the first question. */
export const START = -1

/** The place of the question that triggers the rule when it is left, `START`, or null for an unknown `after`. */
export function anchorOf(rule: Rule, positions: ReadonlyMap<string, number>): number | null {
  if (rule.after !== undefined) return positions.get(rule.after) ?? null
  let latest = START
  for (const { leaf } of leavesOf(rule.when)) {
    if ('question' in leaf) latest = Math.max(latest, positions.get(leaf.question) ?? START)
  }
  return latest
}

// Each submission and each turn of a conversation ask, and a large survey compares tens of thousands of times.
const known = new WeakMap<SurveyDefinition, ReadonlyMap<number, Rule[]>>()

/** Anchor → its rules in order. */
export function rulesByAnchor(definition: SurveyDefinition): ReadonlyMap<number, Rule[]> {
  const anchored = known.get(definition) ?? findAnchors(definition)
  known.set(definition, anchored)
  return anchored
}

function findAnchors(definition: SurveyDefinition): Map<number, Rule[]> {
  const positions = questionPositions(definition)
  const anchored = new Map<number, Rule[]>()
  for (const rule of definition.logic) {
    const anchor = anchorOf(rule, positions)
    if (anchor === null) continue
    const rules = anchored.get(anchor)
    if (rules) rules.push(rule)
    else anchored.set(anchor, [rule])
  }
  return anchored
}

/** The questions that stay hidden until a `show` action names them. */
export function shownByRule(definition: SurveyDefinition): Set<string> {
  const shown = new Set<string>()
  for (const { then } of definition.logic) {
    for (const action of then) if (action.action === 'show') shown.add(action.question)
  }
  return shown
}
