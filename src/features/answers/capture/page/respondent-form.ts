import { composed } from '../../../../platform/text/composed.ts'
import { fieldsFrom, type Fields } from '../../../../survey-engine/forms/answers.ts'
import { pipingReferences } from '../../../../survey-engine/logic/piping.ts'
import { rulesByAnchor, START } from '../../../../survey-engine/logic/rules.ts'
import type { SurveyDefinition } from '../../../../survey-engine/model/definition.ts'
import { questionPositions } from '../../../../survey-engine/model/names.ts'
import { finish, type Steps } from '../../../../survey-engine/checks/draft-checks.ts'
import { textsOf } from '../../../../survey-engine/model/text.ts'
import { MOST_CONTROLS, controlsOf } from '../../../../survey-engine/types/registry.ts'

export function readFields(body: string): Fields {
  return fieldsFrom([...new URLSearchParams(body)].map(([name, value]) => [name, composed(value)]))
}

/** The ids of questions that fields may belong to. Looks at each name once: `q1` and `q1.other` belong to `q1`. */
export function questionsNamedIn(fields: Fields): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const name of fields.keys()) ids.add(name.split('.', 1)[0] ?? name)
  return ids
}

/**
 * Cuts the path through a survey into pages, so that earlier pages decide every page. A page ends where an answer on it
 * may decide what follows, before a text that repeats such an answer, and before its 2,501st control.
 */
export function pagesOf(definition: SurveyDefinition, path: string[]): string[][] {
  const positions = questionPositions(definition)
  const anchors = [...rulesByAnchor(definition).keys()].filter((anchor) => anchor !== START)
  const piped = finish(readPiped(definition))
  const pages: string[][] = []
  let page: string[] = []
  let controls = 0
  for (const id of path) {
    const first = positions.get(page[0] ?? '') ?? Infinity
    const here = positions.get(id) ?? 0
    const decided = anchors.some((anchor) => anchor >= first && anchor < here)
    const repeats = page.some((earlier) => piped.get(id)?.has(earlier))
    const question = definition.questions[here]
    const own = question ? controlsOf(question) : 0
    if (page.length > 0 && (decided || repeats || controls + own > MOST_CONTROLS)) {
      pages.push(page)
      page = []
      controls = 0
    }
    page.push(id)
    controls += own
  }
  if (page.length > 0) pages.push(page)
  return pages
}

// A definition never changes, and each visit asks for its pages several times.
const pipedIn = new WeakMap<SurveyDefinition, Map<string, Set<string>>>()

/**
 * Question id → the questions whose answers its texts repeat. Runs in steps, because a large survey has tens of
 * thousands of texts.
 */
export function* readPiped(definition: SurveyDefinition): Steps<ReadonlyMap<string, Set<string>>> {
  const known = pipedIn.get(definition)
  if (known) return known
  const piped = new Map<string, Set<string>>()
  for (const { text, question } of textsOf(definition)) {
    const id = question === null ? undefined : definition.questions[question]?.id
    if (id === undefined) continue
    const names = piped.get(id) ?? new Set()
    for (const translation of typeof text === 'string' ? [text] : Object.values(text)) {
      for (const { source, name } of pipingReferences(translation)) if (source === 'answer') names.add(name)
    }
    piped.set(id, names)
    yield
  }
  pipedIn.set(definition, piped)
  return piped
}
