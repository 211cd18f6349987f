import type { AnswerValue, ConditionLeaf, Question, Rule, SurveyDefinition } from './definition.ts'
import { judge, operandOf, satisfies } from './condition.ts'
import type { Verdict } from './condition.ts'
import { allowsOther, choicesOf, isRequired, questionPositions, scaleOf, takesMany } from './questions.ts'
import { START, anchorOf, rulesByAnchor, shownByRule } from './rules.ts'

/**
 * The places of questions that no answers lead to. Every answer of the anchor question is tried (scores, choices,
 * consent); whatever else a condition compares counts as open, so a question named here is on no completed path.
 */
export function unreachableQuestions(definition: SurveyDefinition): number[] {
  const survey = surveyOf(definition)
  const passed = new Set([START])
  const shown = new Set<number>()
  for (let at = START; at < definition.questions.length; at++) {
    if (!passed.has(at)) continue
    if (mayBeShown(survey, at, shown)) shown.add(at)
    for (const next of exitsOf(survey, at, shown.has(at))) passed.add(next)
  }
  return definition.questions.map((_, index) => index).filter((index) => !shown.has(index))
}

interface Survey {
  definition: SurveyDefinition
  positions: Map<string, number>
  rules: Map<number, Rule[]>
  shownByRule: Set<string>
  hiddenByRule: Set<string>
}

function surveyOf(definition: SurveyDefinition): Survey {
  const hidden = definition.logic.flatMap(({ then }) => then.filter(({ action }) => action === 'hide'))
  return {
    definition,
    positions: questionPositions(definition),
    rules: rulesByAnchor(definition),
    shownByRule: shownByRule(definition),
    hiddenByRule: new Set(hidden.flatMap((action) => ('question' in action ? [action.question] : []))),
  }
}

function mayBeShown(survey: Survey, at: number, shown: ReadonlySet<number>): boolean {
  const question = survey.definition.questions[at]
  if (!question) return false
  const { logic } = survey.definition
  if (survey.shownByRule.has(question.id)) return logic.some((rule) => mayShow(survey, rule, question, at, shown))
  return !logic.some((rule) => alwaysHides(survey, rule, question))
}

function mayShow(survey: Survey, rule: Rule, question: Question, at: number, shown: ReadonlySet<number>): boolean {
  if (!rule.then.some((action) => action.action === 'show' && action.question === question.id)) return false
  const anchor = anchorOf(rule, survey.positions)
  if (anchor === null || anchor >= at) return false
  if (rule.after !== undefined && !shown.has(anchor)) return false
  const anchorQuestion = survey.definition.questions[anchor]
  return samplesOf(anchorQuestion).some((sample) => verdictFor(rule, anchorQuestion, sample) !== false)
}

function alwaysHides(survey: Survey, rule: Rule, question: Question): boolean {
  if (anchorOf(rule, survey.positions) !== START || judge(rule.when, () => undefined) !== true) return false
  return rule.then.some((action) => action.action === 'hide' && action.question === question.id)
}

function exitsOf(survey: Survey, at: number, shown: boolean): Set<number> {
  const question = survey.definition.questions[at]
  const exits = new Set<number>()
  if (shown || at === START) for (const sample of samplesOf(question)) follow(survey, at, sample, false, exits)
  const mayBeHidden = question && (survey.shownByRule.has(question.id) || survey.hiddenByRule.has(question.id))
  if (mayBeHidden) follow(survey, at, UNANSWERED, true, exits)
  return exits
}

function follow(survey: Survey, at: number, sample: Sample, hidden: boolean, exits: Set<number>): void {
  for (const rule of survey.rules.get(at) ?? []) {
    if (hidden && rule.after !== undefined) continue
    const exit = exitOf(survey, rule, at)
    if (exit === null) continue
    const verdict = verdictFor(rule, survey.definition.questions[at], sample)
    if (verdict === false) continue
    exits.add(exit)
    if (verdict === true) return
  }
  exits.add(at + 1)
}

/** Where the rule leads: a later question, the end (`Infinity`), or null when it moves nobody. */
function exitOf(survey: Survey, rule: Rule, at: number): number | null {
  for (const action of rule.then) {
    if (action.action === 'end') return Infinity
    const target = action.action === 'jump' ? survey.positions.get(action.to) : undefined
    if (target !== undefined && target > at) return target
  }
  return null
}

/** An answer to try; without a `value` it is answered with something not enumerated. */
interface Sample {
  answered: boolean
  value?: AnswerValue
}

const UNANSWERED: Sample = { answered: false }

function samplesOf(question: Question | undefined): Sample[] {
  if (!question || question.type === 'statement') return [UNANSWERED]
  const answers = answersOf(question)
  if (answers.length === 0) return [{ answered: true }, UNANSWERED]
  return isRequired(question) ? answers : [...answers, UNANSWERED]
}

function answersOf(question: Question): Sample[] {
  const scale = scaleOf(question)
  if (scale) {
    const scores = Array.from({ length: scale.max - scale.min + 1 }, (_, index) => scale.min + index)
    return scores.map((value) => ({ answered: true, value }))
  }
  if (question.type === 'consent') {
    return (isRequired(question) ? [true] : [true, false]).map((value) => ({ answered: true, value }))
  }
  if (!['single', 'dropdown', 'picture'].includes(question.type) || takesMany(question)) return [{ answered: true }]
  const samples: Sample[] = choicesOf(question).map(({ id }) => ({ answered: true, value: id }))
  return allowsOther(question) ? [...samples, { answered: true, value: { other: '' } }] : samples
}

function verdictFor(rule: Rule, question: Question | undefined, sample: Sample): Verdict {
  return judge(rule.when, (leaf) => leafVerdict(leaf, question, sample))
}

function leafVerdict(leaf: ConditionLeaf, question: Question | undefined, sample: Sample): Verdict {
  if (!question || !('question' in leaf) || leaf.question !== question.id) return undefined
  if (leaf.op === 'is_answered') return sample.answered
  if (leaf.op === 'is_skipped') return !sample.answered
  if (!sample.answered) return false
  return sample.value === undefined ? undefined : satisfies(operandOf(question, sample.value), leaf.op, leaf.value)
}
