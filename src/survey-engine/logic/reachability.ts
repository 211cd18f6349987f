import type { Condition, ConditionLeaf, Question, Rule, SurveyDefinition } from '../model/definition.ts'
import { operandOf, satisfies } from './condition.ts'
import { LIMITS } from '../model/limits.ts'
import { questionPositions } from '../model/names.ts'
import { behaviourOf, isRequired, scaleOf, takesAnswer } from '../types/registry.ts'
import { START, anchorOf } from './rules.ts'

/** Counts the work, so that a test can hold it to the size of the definition. */
export interface Steps {
  taken: number
}

/**
 * The places of questions that no answers lead to. Every answer of the anchor question is tried (scores, choices,
 * consent); whatever else a condition compares counts as open, so a question named here is on no completed path.
 * Each condition is read once, for all answers together: the steps grow with the size of the definition.
 */
export function unreachableQuestions(definition: SurveyDefinition, steps: Steps = { taken: 0 }): number[] {
  const survey = readSurvey(definition, steps)
  const passed = new Set([START])
  const shown = new Set<number>()
  for (let at = START; at < definition.questions.length; at++) {
    if (!passed.has(at)) continue
    if (mayBeShown(survey, at, shown)) shown.add(at)
    for (const next of exitsOf(survey, at, shown.has(at))) passed.add(next)
  }
  return definition.questions.map((_, index) => index).filter((index) => !shown.has(index))
}

/** The answers to one question that are tried, a bit for each. Bit 0 is no answer. */
interface Tries {
  question: Question | undefined
  all: bigint
  /** Without those that the question does not allow. */
  possible: bigint
  /** The bits of each enumerated answer, by the text that comparisons see; null where answers are not enumerated. */
  byText: Map<string, bigint> | null
}

/** For which tries a condition holds, and for which it does not; it is open for the rest. */
interface Outcome {
  met: bigint
  unmet: bigint
}

interface PlacedRule {
  rule: Rule
  anchor: number
  tries: Tries
  outcome: Outcome
  /** A later question, the end (`Infinity`), or null when the rule moves nobody. */
  exit: number | null
}

interface Survey {
  definition: SurveyDefinition
  steps: Steps
  tries(at: number): Tries
  byAnchor: Map<number, PlacedRule[]>
  /** Question id → the rules that show it. */
  showing: Map<string, PlacedRule[]>
  hiddenByRule: Set<string>
  /** Hidden before the first question, whatever the answers. */
  alwaysHidden: Set<string>
}

function readSurvey(definition: SurveyDefinition, steps: Steps): Survey {
  const known = new Map<number, Tries>()
  const tries = (at: number) => {
    const made = known.get(at) ?? triesOf(definition.questions[at], steps)
    known.set(at, made)
    return made
  }
  const survey: Survey = {
    definition,
    steps,
    tries,
    byAnchor: new Map(),
    showing: new Map(),
    hiddenByRule: new Set(),
    alwaysHidden: new Set(),
  }
  const positions = questionPositions(definition)
  for (const rule of definition.logic) placeRule(survey, rule, positions)
  return survey
}

function placeRule(survey: Survey, rule: Rule, positions: ReadonlyMap<string, number>): void {
  const anchor = anchorOf(rule, positions)
  const tries = survey.tries(anchor ?? START)
  const placed: PlacedRule | null =
    anchor === null
      ? null
      : {
          rule,
          anchor,
          tries,
          outcome: outcomeOf(rule.when, tries, survey.steps),
          exit: exitOf(rule, anchor, positions),
        }
  if (placed) append(survey.byAnchor, placed.anchor, placed)
  for (const action of rule.then) {
    survey.steps.taken += 1
    if (action.action === 'show' && !survey.showing.has(action.question)) survey.showing.set(action.question, [])
    if (action.action === 'show' && placed) append(survey.showing, action.question, placed)
    if (action.action !== 'hide') continue
    survey.hiddenByRule.add(action.question)
    if (placed?.anchor === START && placed.outcome.met === placed.tries.all) survey.alwaysHidden.add(action.question)
  }
}

function mayBeShown(survey: Survey, at: number, shown: ReadonlySet<number>): boolean {
  const question = survey.definition.questions[at]
  if (!question) return false
  const showing = survey.showing.get(question.id)
  if (!showing) return !survey.alwaysHidden.has(question.id)
  return showing.some(({ rule, anchor, tries, outcome }) => {
    survey.steps.taken += 1
    if (anchor >= at || (rule.after !== undefined && !shown.has(anchor))) return false
    return (tries.possible & ~outcome.unmet) !== 0n
  })
}

function exitsOf(survey: Survey, at: number, shown: boolean): Set<number> {
  const question = survey.definition.questions[at]
  const exits = new Set<number>()
  if (shown || at === START) follow(survey, at, survey.tries(at).possible, false, exits)
  const mayBeHidden = question && (survey.showing.has(question.id) || survey.hiddenByRule.has(question.id))
  if (mayBeHidden) follow(survey, at, UNANSWERED, true, exits)
  return exits
}

/** Sends the tries along the rules. Each leaves at the first exit that surely takes it. */
function follow(survey: Survey, at: number, tries: bigint, hidden: boolean, exits: Set<number>): void {
  let left = tries
  for (const { rule, exit, outcome } of survey.byAnchor.get(at) ?? []) {
    survey.steps.taken += 1
    if (exit === null || (hidden && rule.after !== undefined)) continue
    if ((left & ~outcome.unmet) !== 0n) exits.add(exit)
    left &= ~outcome.met
    if (left === 0n) return
  }
  exits.add(at + 1)
}

function exitOf(rule: Rule, at: number, positions: ReadonlyMap<string, number>): number | null {
  for (const action of rule.then) {
    if (action.action === 'end') return Infinity
    const target = action.action === 'jump' ? positions.get(action.to) : undefined
    if (target !== undefined && target > at) return target
  }
  return null
}

const UNANSWERED = 1n
// An answer that is not enumerated: text, a date, several choices.
const ANYTHING = 2n

function triesOf(question: Question | undefined, steps: Steps): Tries {
  if (!question || !takesAnswer(question)) return { question, all: UNANSWERED, possible: UNANSWERED, byText: null }
  const answers = behaviourOf(question).comparison(question).everyAnswer?.(question)
  const either = UNANSWERED | ANYTHING
  if (!answers) return { question, all: either, possible: isRequired(question) ? ANYTHING : either, byText: null }
  if (answers.length === 0) return { question, all: either, possible: either, byText: null }
  const byText = new Map<string, bigint>()
  for (const [index, answer] of answers.entries()) {
    const text = String(operandOf(question, answer))
    byText.set(text, (byText.get(text) ?? 0n) | (ANYTHING << BigInt(index)))
  }
  steps.taken += answers.length
  const all = (ANYTHING << BigInt(answers.length)) - 1n
  return { question, all, possible: isRequired(question) ? all & ~UNANSWERED : all, byText }
}

function outcomeOf(condition: Condition, tries: Tries, steps: Steps, depth = 0): Outcome {
  steps.taken += 1
  if (depth > LIMITS.conditionDepth) return { met: 0n, unmet: tries.all }
  const outcome = 'any' in condition ? { met: 0n, unmet: tries.all } : { met: tries.all, unmet: 0n }
  if ('all' in condition) {
    for (const member of condition.all) {
      const next = outcomeOf(member, tries, steps, depth + 1)
      outcome.met &= next.met
      outcome.unmet |= next.unmet
    }
    return outcome
  }
  if ('any' in condition) {
    for (const member of condition.any) {
      const next = outcomeOf(member, tries, steps, depth + 1)
      outcome.met |= next.met
      outcome.unmet &= next.unmet
    }
    return outcome
  }
  return leafOutcome(condition, tries, steps)
}

function leafOutcome(leaf: ConditionLeaf, { question, all, byText }: Tries, steps: Steps): Outcome {
  if (!question || !('question' in leaf) || leaf.question !== question.id) return { met: 0n, unmet: 0n }
  const answered = all & ~UNANSWERED
  if (leaf.op === 'is_answered') return { met: answered, unmet: UNANSWERED & all }
  if (leaf.op === 'is_skipped') return { met: UNANSWERED & all, unmet: answered }
  const met = byText && metAnswers(leaf, question, answered, byText, steps)
  return met === null ? { met: 0n, unmet: UNANSWERED & all } : { met, unmet: all & ~met }
}

/** The enumerated answers that a comparison is true of; null for an operator that does not fit the question. */
function metAnswers(
  leaf: ConditionLeaf,
  question: Question,
  answered: bigint,
  byText: Map<string, bigint>,
  steps: Steps,
): bigint | null {
  const { op, value } = leaf
  const bitsOf = (one: unknown) => byText.get(String(one)) ?? 0n
  if (value === undefined) return 0n
  if (Array.isArray(value)) steps.taken += value.length
  switch (op) {
    case 'eq':
      return Array.isArray(value) ? 0n : bitsOf(value)
    case 'ne':
      return Array.isArray(value) ? 0n : answered & ~bitsOf(value)
    case 'one_of':
      return Array.isArray(value) ? value.reduce((bits, one) => bits | bitsOf(one), 0n) : 0n
    case 'all_of':
      return Array.isArray(value) && value.length > 0 ? value.reduce((bits, one) => bits & bitsOf(one), answered) : 0n
    default: {
      if (!scaleOf(question)) return null
      let bits = 0n
      for (const [text, bit] of byText) {
        steps.taken += 1
        if (satisfies(Number(text), leaf)) bits |= bit
      }
      return bits
    }
  }
}

function append<Key>(lists: Map<Key, PlacedRule[]>, key: Key, placed: PlacedRule): void {
  const list = lists.get(key)
  if (list) list.push(placed)
  else lists.set(key, [placed])
}
