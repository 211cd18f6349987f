import { type Issue, type Question, type SurveyDefinition, Issues } from '../model/definition.ts'
import { checkCondition } from './condition-checks.ts'
import { draftChecks, finish, type Steps } from './draft-checks.ts'
import { placeholdersIn, placeholdersOf } from '../words/message-keys.ts'
import { type Names, namesIn } from '../model/names.ts'
import { readPiping, type PipingProblem, type PipingReference } from '../logic/piping.ts'
import { fitsOnePage, MOST_CONTROLS, behaviourOf, takesAnswer } from '../types/registry.ts'
import { unreachableQuestions } from '../logic/reachability.ts'
import { own } from '../model/record.ts'
import { checkRule } from './rule-checks.ts'
import { surveyLanguages, textsOf } from '../model/text.ts'

/**
 * Reports everything that a published survey may not hold: the issues of `checkDraft`, and all that cannot work for a
 * respondent, such as an unknown jump target, an unreachable question, a loop or a missing translation. At most 100
 * issues.
 */
export function checkPublishable(definition: SurveyDefinition): Issue[] {
  return finish(publishChecks(definition))
}

/** Does the same in steps. */
export function* publishChecks(definition: SurveyDefinition): Steps<Issue[]> {
  const issues = new Issues()
  for (const { path, message } of yield* draftChecks(definition)) issues.add(path, message)
  const names = namesIn(definition)
  checkPurpose(issues, definition)
  checkPrivacy(issues, definition)
  checkProofOfWork(issues, definition)
  for (const [index, question] of definition.questions.entries()) checkQuestion(issues, question, `questions.${index}`)
  yield
  for (const [index, rule] of definition.logic.entries()) {
    checkRule(issues, rule, `logic.${index}`, definition, names)
    yield
  }
  for (const [index, { when }] of definition.quotas.entries()) {
    if (when) checkCondition(issues, when, `quotas.${index}.when`, names)
    yield
  }
  checkLeadCapture(issues, definition, names)
  yield* checkTranslations(issues, definition)
  checkTargeting(issues, definition)
  checkMessages(issues, definition)
  yield* checkPlaceholders(issues, definition, names)
  for (const index of unreachableQuestions(definition)) {
    issues.add(`questions.${index}`, 'Change the logic or remove this question; no answers lead to it.')
  }
  return issues.found
}

function checkPurpose(issues: Issues, { metric, questions }: SurveyDefinition): void {
  if (!questions.some(takesAnswer)) {
    issues.add('questions', 'Add a question that can be answered.')
  }
  if (metric !== null && !questions.some(({ type }) => type === metric)) {
    issues.add('metric', `Add a question of type ${metric}, or choose another metric.`)
  }
}

function checkPrivacy(issues: Issues, { privacy, questions, dedupe, quotas }: SurveyDefinition): void {
  if (privacy !== 'anonymous') return
  for (const [index, question] of questions.entries()) {
    const asksWho =
      question.type === 'contact' ||
      (question.type === 'open_text' && (question.format === 'email' || question.format === 'phone'))
    if (asksWho)
      issues.add(`questions.${index}`, 'Remove this question: an anonymous survey cannot ask for an address.')
  }
  if (dedupe === 'contact') issues.add('dedupe', 'Choose another dedupe: an anonymous survey stores no contacts.')
  for (const [index, { when }] of quotas.entries())
    if (when)
      issues.add(
        `quotas.${index}.when`,
        'Remove this quota, or leave out its condition: a full one would tell what a person said. To limit all ' +
          'responses, use response_limit.',
      )
}

function checkProofOfWork(issues: Issues, definition: SurveyDefinition): void {
  if (definition.proof_of_work !== true) return
  if (definition.privacy === 'anonymous')
    issues.add('proof_of_work', 'Leave this out: no response of an anonymous survey can be quarantined.')
  if (!fitsOnePage(definition))
    issues.add(
      'proof_of_work',
      `Leave this out: a page with more than ${MOST_CONTROLS} choices and cells has no script to solve the ` +
        'puzzle.',
    )
}

function checkQuestion(issues: Issues, question: Question, path: string): void {
  if (typeof question.title === 'string' && question.title.trim() === '')
    issues.add(`${path}.title`, 'Write the question.')
  behaviourOf(question).checkPublish?.(issues, question, path)
}

function checkTargeting(issues: Issues, { targeting }: SurveyDefinition): void {
  for (const [index, url] of (targeting?.urls ?? []).entries())
    if (!/^(https?:\/\/|\*)/.test(url))
      issues.add(`targeting.urls.${index}`, 'Write a full address that starts with https:// or with a star.')
}

function checkLeadCapture(issues: Issues, { lead_capture, questions }: SurveyDefinition, names: Names): void {
  if (!lead_capture) return
  const { contact, consent, when } = lead_capture
  const isOf = (type: Question['type'], id: string) => questions.some((each) => each.id === id && each.type === type)
  if (!isOf('contact', contact)) issues.add('lead_capture.contact', 'Name a question of the type contact.')
  if (consent !== undefined && !isOf('consent', consent))
    issues.add('lead_capture.consent', 'Name a question of the type consent.')
  if (when) checkCondition(issues, when, 'lead_capture.when', names)
}

function* checkTranslations(issues: Issues, definition: SurveyDefinition): Steps<void> {
  const languages = new Set(surveyLanguages(definition))
  for (const { path, text } of textsOf(definition)) {
    yield
    if (issues.isFull) return
    if (typeof text === 'string') continue
    const present = Object.entries(text).filter(
      ([language, translation]) => languages.has(language) && translation.trim() !== '',
    ).length
    if (present === languages.size || (present === 0 && !MANDATORY.test(path))) continue
    const missing = [...languages].filter((language) => (own(text, language) ?? '').trim() === '')
    issues.add(path, `Add the translation for: ${missing.join(', ')}.`)
  }
}

function checkMessages(issues: Issues, { messages = {} }: SurveyDefinition): void {
  for (const [language, texts] of Object.entries(messages)) {
    for (const [key, text = ''] of Object.entries(texts)) {
      const known = placeholdersOf(key)
      const unknown = placeholdersIn(text).filter((name) => !known.includes(name))
      if (unknown.length === 0) continue
      const names = known.map((name) => `{${name}}`).join(', ')
      issues.add(
        `messages.${language}.${key}`,
        `{${unknown[0]}} is not known here; ${names === '' ? 'this text has no placeholders' : `use ${names}`}.`,
      )
    }
  }
}

// Titles and labels; a description or scale label may be blank in every language.
const MANDATORY = /\.(?:title|label)$/

function* checkPlaceholders(issues: Issues, definition: SurveyDefinition, names: Names): Steps<void> {
  for (const { path, text, question } of textsOf(definition)) {
    yield
    if (issues.isFull) return
    checkPiping(issues, path, typeof text === 'string' ? [text] : Object.values(text), names, question ?? Infinity)
  }
  for (const [index, { redirect_url }] of definition.endings.entries()) {
    if (redirect_url !== undefined)
      checkPiping(issues, `endings.${index}.redirect_url`, [redirect_url], names, Infinity)
  }
}

function checkPiping(issues: Issues, path: string, templates: string[], names: Names, before: number): void {
  const reported = new Set<string>()
  for (const template of templates) {
    for (const found of readPiping(template)) {
      const problem = 'problem' in found ? PIPING_PROBLEMS[found.problem] : nameProblem(found.reference, names, before)
      if (problem === null || reported.has(problem)) continue
      reported.add(problem)
      issues.add(path, `${found.excerpt.slice(0, 80)}: ${problem}`)
    }
  }
}

const PIPING_PROBLEMS: Record<PipingProblem, string> = {
  unclosed: 'close the placeholder with }}, as in {{ answer.q1 }}.',
  unopened: 'open the placeholder with {{, as in {{ answer.q1 }}.',
  default: 'write the default in straight quotes, as in {{ answer.q1 | default: "there" }}.',
  source: 'write {{ answer.<question> }}, {{ custom.<field> }} or {{ variable.<name> }}.',
}

function nameProblem({ source, name }: PipingReference, names: Names, before: number): string | null {
  if (source === 'custom') return names.customFields.has(name) ? null : 'declare the field in custom_fields.'
  if (source === 'variable')
    return names.variables.has(name) ? null : 'declare the variable, or calculate it in a rule.'
  const place = names.positions.get(name)
  const question = place === undefined ? undefined : names.questions[place]
  if (place === undefined || !question || !takesAnswer(question)) return 'name a question of this survey.'
  return place < before ? null : 'name a question that comes before this one.'
}
