import { type Action, type Condition, type Issue, type SurveyDefinition, Issues } from '../model/definition.ts'
import { leavesOf } from '../logic/condition.ts'
import { isStorable } from '../model/formats.ts'
import { NAME, SLUG, checkIds, type Identified } from '../model/identifiers.ts'
import { LIMITS } from '../model/limits.ts'
import { countPlaceholders, isPipedHttpUrl } from '../logic/piping.ts'
import { shuffledLines } from '../logic/shuffle.ts'
import { behaviourOf, reportLinesOf } from '../types/registry.ts'
import { textsOf } from '../model/text.ts'

/**
 * Reports everything that not even a draft may hold: ids that are malformed, reserved or taken, references to questions
 * that do not exist, settings out of range, and more of anything than `LIMITS` allows. At most 100 issues.
 */
export function checkDraft(definition: SurveyDefinition): Issue[] {
  return finish(draftChecks(definition))
}

/** Does the same in steps. */
export function* draftChecks(definition: SurveyDefinition): Steps<Issue[]> {
  const issues = new Issues()
  checkSizes(issues, definition)
  checkIds(issues, idsOf('questions', definition.questions), NAME)
  checkIds(issues, idsOf('endings', definition.endings), SLUG)
  checkIds(issues, idsOf('quotas', definition.quotas), SLUG)
  checkIds(issues, ruleIds(definition), SLUG)
  checkIds(
    issues,
    definition.custom_fields.map((id, i) => ({ path: `custom_fields.${i}`, id })),
    SLUG,
  )
  checkIds(
    issues,
    Object.keys(definition.variables ?? {}).map((id) => ({ path: `variables.${id}`, id })),
    NAME,
  )
  checkControls(issues, definition)
  checkShuffles(issues, definition)
  yield* checkComparisons(issues, definition)
  for (const [index, question] of definition.questions.entries()) {
    behaviourOf(question).checkDraft?.(issues, question, `questions.${index}`)
    yield
  }
  yield* checkRules(issues, definition)
  checkEndings(issues, definition)
  yield* checkQuotas(issues, definition)
  checkLeadCapture(issues, definition)
  checkTargeting(issues, definition)
  checkVariables(issues, definition)
  yield* checkTexts(issues, definition)
  return issues.found
}

function checkSizes(issues: Issues, definition: SurveyDefinition): void {
  const sizes: [string, number, number][] = [
    ['questions', definition.questions.length, LIMITS.questions],
    ['logic', definition.logic.length, LIMITS.rules],
    ['endings', definition.endings.length, LIMITS.endings],
    ['quotas', definition.quotas.length, LIMITS.quotas],
    ['custom_fields', definition.custom_fields.length, LIMITS.customFields],
    ['variables', Object.keys(definition.variables ?? {}).length, LIMITS.variables],
    ['languages', (definition.languages ?? []).length, LIMITS.languages],
  ]
  for (const [path, size, most] of sizes) {
    if (size > most) issues.add(path, `Remove some; there may be at most ${most}.`)
  }
}

// A report has a line for each, and a page a control.
function checkControls(issues: Issues, { questions }: SurveyDefinition): void {
  const controls = questions.reduce((sum, question) => sum + reportLinesOf(question), 0)
  if (controls > LIMITS.controls)
    issues.add('questions', `Remove choices, cells or steps; a survey may have at most ${LIMITS.controls} in all.`)
}

function checkShuffles(issues: Issues, { questions }: SurveyDefinition): void {
  const lines = questions.reduce((sum, question) => sum + (shuffledLines(question)?.length ?? 0), 0)
  if (lines > LIMITS.shuffledLines)
    issues.add('questions', `Shuffle fewer; at most ${LIMITS.shuffledLines} choices and rows may be shuffled in all.`)
}

// Each evaluation of the survey may make them all, and a search reads through an answer.
function* checkComparisons(issues: Issues, { questions, logic, quotas, lead_capture }: SurveyDefinition): Steps<void> {
  const lists = new Set(questions.filter((question) => behaviourOf(question).isSearched !== true).map(({ id }) => id))
  let comparisons = 0
  let searches = 0
  for (const { when } of [...logic, ...quotas, ...(lead_capture ? [lead_capture] : [])]) {
    yield
    if (!when) continue
    for (const { leaf } of leavesOf(when)) {
      comparisons++
      if (leaf.op === 'contains' && !('question' in leaf && lists.has(leaf.question))) searches++
    }
  }
  if (comparisons > LIMITS.comparisons)
    issues.add('logic', `Remove some comparisons; a survey may have at most ${LIMITS.comparisons} in all conditions.`)
  if (searches > LIMITS.textSearches)
    issues.add(
      'logic',
      `Remove some comparisons by contains; a survey may have at most ${LIMITS.textSearches} with texts.`,
    )
}

function* idsOf(path: string, items: { id: string }[]): Generator<Identified> {
  for (const [index, { id }] of items.entries()) yield { path: `${path}.${index}.id`, id }
}

function* ruleIds({ logic }: SurveyDefinition): Generator<Identified> {
  for (const [index, { id }] of logic.entries()) if (id !== undefined) yield { path: `logic.${index}.id`, id }
}

function* checkRules(issues: Issues, definition: SurveyDefinition): Steps<void> {
  const known = questionIds(definition)
  for (const [index, rule] of definition.logic.entries()) {
    const path = `logic.${index}`
    if (rule.after !== undefined && !known.has(rule.after)) issues.add(`${path}.after`, UNKNOWN_QUESTION)
    checkCondition(issues, rule.when, `${path}.when`, known)
    if (rule.then.length > LIMITS.actionsPerRule) {
      issues.add(`${path}.then`, `Remove some actions; a rule may have at most ${LIMITS.actionsPerRule}.`)
    }
    for (const [place, action] of rule.then.entries()) checkAction(issues, action, `${path}.then.${place}`, known)
    yield
  }
}

function checkAction(issues: Issues, action: Action, path: string, known: ReadonlySet<string>): void {
  switch (action.action) {
    case 'show':
    case 'hide':
    case 'require':
      if (!known.has(action.question)) issues.add(`${path}.question`, UNKNOWN_QUESTION)
      return
    case 'calculate': {
      checkIds(issues, [{ path: `${path}.variable`, id: action.variable }], NAME)
      const { value } = action
      if (typeof value === 'object' && 'question' in value && !known.has(value.question)) {
        issues.add(`${path}.value.question`, UNKNOWN_QUESTION)
      }
      checkScalar(issues, value, `${path}.value`)
    }
  }
}

function checkCondition(issues: Issues, condition: Condition, path: string, known: ReadonlySet<string>): void {
  let leaves = 0
  for (const { leaf, path: at } of leavesOf(condition, path)) {
    leaves++
    if ('question' in leaf && !known.has(leaf.question)) issues.add(`${at}.question`, UNKNOWN_QUESTION)
    for (const value of Array.isArray(leaf.value) ? leaf.value : [leaf.value]) checkScalar(issues, value, `${at}.value`)
  }
  if (leaves > LIMITS.conditionLeaves) {
    issues.add(path, `Split the condition; it may compare at most ${LIMITS.conditionLeaves} times.`)
  }
  if (isTooDeep(condition)) issues.add(path, `Flatten the condition to at most ${LIMITS.conditionDepth} levels.`)
}

// Breadth first and without recursion: the author may nest as deeply as they like.
function isTooDeep(condition: Condition): boolean {
  let level = [condition]
  for (let depth = 0; depth <= LIMITS.conditionDepth; depth++) {
    level = level.flatMap((member) => ('all' in member ? member.all : 'any' in member ? member.any : []))
    if (level.length === 0) return false
  }
  return true
}

function checkEndings(issues: Issues, { endings }: SurveyDefinition): void {
  for (const [index, { redirect_url }] of endings.entries()) {
    if (redirect_url === undefined) continue
    if (countPlaceholders(redirect_url) > LIMITS.placeholders)
      issues.add(`endings.${index}.redirect_url`, TOO_MANY_PLACEHOLDERS)
    if (!isPipedHttpUrl(redirect_url)) {
      issues.add(
        `endings.${index}.redirect_url`,
        'Use an address that starts with http:// or https:// and a host; placeholders may follow after the host.',
      )
    }
  }
}

function* checkQuotas(issues: Issues, definition: SurveyDefinition): Steps<void> {
  const known = questionIds(definition)
  for (const [index, { when, limit }] of definition.quotas.entries()) {
    if (!Number.isSafeInteger(limit) || limit < 1) issues.add(`quotas.${index}.limit`, 'Use a whole number from 1.')
    if (when) checkCondition(issues, when, `quotas.${index}.when`, known)
    yield
  }
}

function checkLeadCapture(issues: Issues, definition: SurveyDefinition): void {
  const { lead_capture } = definition
  if (!lead_capture) return
  const known = questionIds(definition)
  if (!known.has(lead_capture.contact)) issues.add('lead_capture.contact', UNKNOWN_QUESTION)
  if (lead_capture.consent !== undefined && !known.has(lead_capture.consent))
    issues.add('lead_capture.consent', UNKNOWN_QUESTION)
  if (lead_capture.when) checkCondition(issues, lead_capture.when, 'lead_capture.when', known)
}

function checkTargeting(issues: Issues, { targeting }: SurveyDefinition): void {
  for (const [index, url] of (targeting?.urls ?? []).entries()) {
    if (!isStorable(url)) issues.add(`targeting.urls.${index}`, 'Remove the characters that are not text.')
    if (url.split('*').length - 1 > LIMITS.urlStars)
      issues.add(`targeting.urls.${index}`, `Use at most ${LIMITS.urlStars} stars.`)
  }
  for (const [index, event] of (targeting?.events ?? []).entries())
    if (!isStorable(event)) issues.add(`targeting.events.${index}`, 'Remove the characters that are not text.')
}

function checkVariables(issues: Issues, { variables = {} }: SurveyDefinition): void {
  for (const [name, value] of Object.entries(variables)) checkScalar(issues, value, `variables.${name.slice(0, 64)}`)
}

function checkScalar(issues: Issues, value: unknown, path: string): void {
  if (typeof value === 'number' && !Number.isFinite(value)) issues.add(path, 'Use a finite number.')
  if (typeof value !== 'string') return
  if (value.length > LIMITS.customValueLength) {
    issues.add(path, `Shorten the value to ${LIMITS.customValueLength} characters.`)
  } else if (!isStorable(value)) {
    issues.add(path, 'Remove the characters that are not text.')
  }
}

function* checkTexts(issues: Issues, definition: SurveyDefinition): Steps<void> {
  const declared = [definition.default_language, ...(definition.languages ?? [])]
  if (!declared.every((language) => LANGUAGE.test(language))) {
    issues.add('languages', 'Use language tags, such as en or pt-BR.')
  }
  for (const [language, texts] of Object.entries(definition.messages ?? {})) {
    for (const [key, text = ''] of Object.entries(texts)) {
      if (!isStorable(text)) issues.add(`messages.${language}.${key}`, 'Remove the characters that are not text.')
    }
  }
  for (const { path, text } of textsOf(definition)) {
    const translations = typeof text === 'string' ? [text] : Object.values(text)
    if (typeof text === 'object' && !Object.keys(text).every((language) => LANGUAGE.test(language))) {
      issues.add(path, 'Use language tags as keys, such as en or pt-BR.')
    }
    if (translations.some(({ length }) => length > LIMITS.textLength)) {
      issues.add(path, `Shorten the text to ${LIMITS.textLength} characters.`)
    }
    if (translations.some((translation) => countPlaceholders(translation) > LIMITS.placeholders))
      issues.add(path, TOO_MANY_PLACEHOLDERS)
    if (!translations.every(isStorable)) issues.add(path, 'Remove the characters that are not text.')
    yield
  }
}

function questionIds({ questions }: SurveyDefinition): Set<string> {
  return new Set(questions.map(({ id }) => id))
}

const LANGUAGE = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,4}$/
const TOO_MANY_PLACEHOLDERS = `Remove some placeholders; a text may have at most ${LIMITS.placeholders}.`
const UNKNOWN_QUESTION = 'Name a question of this survey.'

/** Work in parts, so that a large definition does not hold the event loop. */
export type Steps<Result> = Generator<undefined, Result>

/** Takes all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
