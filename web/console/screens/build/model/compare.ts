import { languagesOf, shown } from './texts.ts'
import { compareWords, lengthAt, runs, sidesOf, wordBudget, type Part, type WordBudget } from './wording.ts'
import {
  changedMembers,
  isSame,
  keyOf,
  type Draft,
  type LocalizedText,
  type Member,
  type Question,
  type Rule,
} from './draft.ts'

export type Change =
  | {
      kind: 'added' | 'removed'
      what: 'question' | 'ending' | 'quota' | 'rule'
      id: string
      title: string
      place: number
    }
  /** A choice, row or column of the question at `place`. */
  | { kind: 'added' | 'removed'; what: 'choice' | 'row' | 'column'; id: string; title: string; place: number }
  | { kind: 'moved'; what: 'question'; id: string; title: string; from: number; to: number }
  /** A text of one language. `name` says which: the title, the description, a choice … */
  | {
      kind: 'words'
      what: 'question' | 'ending'
      id: string
      place: number
      name: string
      language: string
      before: Part[]
      after: Part[]
    }
  /** Settings that changed, by their names. */
  | { kind: 'settings'; what: 'question' | 'ending' | 'quota' | 'survey'; id: string; title: string; names: string[] }

/** The changes that make `after` of `before`, by the ids of its questions. */
export function compare(before: Draft, after: Draft): Change[] {
  const budget = wordBudget()
  return [
    ...compareQuestions(before, after, budget),
    ...compareRules(before, after),
    ...compareEndings(before, after, budget),
    ...compareQuotas(before, after),
    ...compareSettings(before, after),
  ]
}

function compareQuestions(before: Draft, after: Draft, budget: WordBudget): Change[] {
  const [old, now] = [byId(before.questions), byId(after.questions)]
  const titleOf = (question: Question, draft: Draft) => shown(question.title, draft) || question.id
  const changes: Change[] = []
  for (const [place, question] of after.questions.entries()) {
    const title = titleOf(question, after)
    const earlier = old.get(question.id)
    if (!earlier) changes.push({ kind: 'added', what: 'question', id: question.id, title, place })
    else changes.push(...compareThing({ what: 'question', place, title, draft: after, budget }, earlier, question))
  }
  for (const [place, question] of before.questions.entries())
    if (!now.has(question.id))
      changes.push({ kind: 'removed', what: 'question', id: question.id, title: titleOf(question, before), place })
  const kept = after.questions.map(({ id }) => id).filter((id) => old.has(id))
  const order = before.questions.map(({ id }) => id).filter((id) => now.has(id))
  const still = longestCommon(order, kept)
  for (const id of kept.filter((each) => !still.has(each))) {
    const question = now.get(id)
    if (question)
      changes.push({
        kind: 'moved',
        what: 'question',
        id,
        title: titleOf(question, after),
        from: before.questions.findIndex((each) => each.id === id),
        to: after.questions.findIndex((each) => each.id === id),
      })
  }
  return changes
}

type Thing = Record<string, unknown> & { id: string }
const TEXTS = ['title', 'description', 'low_label', 'high_label', 'message']
const LINES = { choices: 'choice', rows: 'row', columns: 'column' } as const
const LISTS_OF_LINES = Object.keys(LINES) as Array<keyof typeof LINES>

interface Place {
  what: 'question' | 'ending'
  place: number
  title: string
  draft: Draft
  budget: WordBudget
}

function compareThing(at: Place, before: object, after: object): Change[] {
  const [old, now] = [before as Thing, after as Thing]
  const words = [
    ...TEXTS.flatMap((name) => compareText(at, now.id, name, old[name], now[name])),
    ...LISTS_OF_LINES.flatMap((name) => {
      const [earlier, later] = [byId(linesIn(old[name])), byId(linesIn(now[name]))]
      const change = (kind: 'added' | 'removed', { id, label }: Line): Change => ({
        kind,
        what: LINES[name],
        id,
        title: shown(label, at.draft) || id,
        place: at.place,
      })
      return [
        ...linesIn(now[name]).flatMap((line) => {
          const same = earlier.get(line.id)
          return same ? compareText(at, now.id, name, same.label, line.label) : [change('added', line)]
        }),
        ...linesIn(old[name]).flatMap((line) => (later.has(line.id) ? [] : [change('removed', line)])),
      ]
    }),
  ]
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    (name) =>
      !TEXTS.includes(name) &&
      !(name in LINES
        ? isSame(stayed(old[name], now[name]), stayed(now[name], old[name]))
        : isSame(old[name], now[name])),
  )
  if (names.length === 0) return words
  return [...words, { kind: 'settings', what: at.what, id: now.id, title: at.title, names }]
}

interface Line {
  id: string
  label?: LocalizedText
}

function linesIn(lines: unknown): Line[] {
  return Array.isArray(lines) ? (lines as Line[]) : []
}

// Their labels are compared as words, and the lines of only one side are named.
function stayed(lines: unknown, others: unknown): object[] {
  const known = byId(linesIn(others))
  return linesIn(lines).flatMap((line) => (known.has(line.id) ? [{ ...line, label: undefined }] : []))
}

function compareText(
  { what, place, draft, budget }: Place,
  id: string,
  name: string,
  old: unknown,
  now: unknown,
): Change[] {
  const [before, after] = [textsOf(old, draft), textsOf(now, draft)]
  const languages = [...new Set([...languagesOf(draft), ...before.keys(), ...after.keys()])]
  return languages.flatMap((language): Change[] => {
    const [a, b] = [before.get(language) ?? '', after.get(language) ?? '']
    return a === b ? [] : [{ kind: 'words', what, id, place, name, language, ...sidesOf(compareWords(a, b, budget)) }]
  })
}

function textsOf(text: unknown, { default_language }: Draft): Map<string, string> {
  if (text === undefined) return new Map()
  return new Map(typeof text === 'string' ? [[default_language, text]] : Object.entries(text as Record<string, string>))
}

function compareRules(before: Draft, after: Draft): Change[] {
  // Each rule of one side beside each of the other made 250,000 comparisons.
  const keysOf = (rules: Rule[]) => rules.map((rule) => keyOf(bare(rule)))
  const [old, now] = [keysOf(before.logic), keysOf(after.logic)]
  const [known, left] = [new Set(old), new Set(now)]
  const change = (kind: 'added' | 'removed', rule: Rule, place: number): Change => ({
    kind,
    what: 'rule',
    id: rule.id ?? String(place),
    title: '',
    place,
  })
  return [
    ...after.logic.flatMap((rule, place) => (known.has(now[place] ?? '') ? [] : [change('added', rule, place)])),
    ...before.logic.flatMap((rule, place) => (left.has(old[place] ?? '') ? [] : [change('removed', rule, place)])),
  ]
}

// The id of a rule says nothing of what it does.
function bare({ after, when, then }: Rule): Omit<Rule, 'id'> {
  return { ...(after !== undefined && { after }), when, then }
}

function compareEndings(before: Draft, after: Draft, budget: WordBudget): Change[] {
  const [old, now] = [byId(before.endings), byId(after.endings)]
  return [
    ...after.endings.flatMap((ending, place): Change[] => {
      const title = shown(ending.title, after) || ending.id
      const earlier = old.get(ending.id)
      return earlier
        ? compareThing({ what: 'ending', place, title, draft: after, budget }, earlier, ending)
        : [{ kind: 'added', what: 'ending', id: ending.id, title, place }]
    }),
    ...before.endings.flatMap((ending, place): Change[] =>
      now.has(ending.id)
        ? []
        : [{ kind: 'removed', what: 'ending', id: ending.id, title: shown(ending.title, before) || ending.id, place }],
    ),
  ]
}

function compareQuotas(before: Draft, after: Draft): Change[] {
  const [old, now] = [byId(before.quotas), byId(after.quotas)]
  return [
    ...after.quotas.flatMap((quota, place): Change[] => {
      const earlier = old.get(quota.id)
      if (!earlier) return [{ kind: 'added', what: 'quota', id: quota.id, title: quota.id, place }]
      const names = (['limit', 'when'] as const).filter((name) => !isSame(earlier[name], quota[name]))
      return names.length === 0 ? [] : [{ kind: 'settings', what: 'quota', id: quota.id, title: quota.id, names }]
    }),
    ...before.quotas.flatMap((quota, place): Change[] =>
      now.has(quota.id) ? [] : [{ kind: 'removed', what: 'quota', id: quota.id, title: quota.id, place }],
    ),
  ]
}

const LISTS: ReadonlySet<Member> = new Set(['questions', 'logic', 'endings', 'quotas'])

function compareSettings(before: Draft, after: Draft): Change[] {
  const names = changedMembers(before, after).filter((name) => !LISTS.has(name))
  return names.length === 0 ? [] : [{ kind: 'settings', what: 'survey', id: '', title: '', names }]
}

/** The ids that keep their order: every other one was moved. */
function longestCommon(a: string[], b: string[]): Set<string> {
  const lengths = runs(a, b)
  const found = new Set<string>()
  let [i, j] = [0, 0]
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      found.add(a[i] ?? '')
      i++
      j++
    } else if (lengthAt(lengths, i + 1, j) >= lengthAt(lengths, i, j + 1)) i++
    else j++
  }
  return found
}

function byId<Item extends { id: string }>(items: readonly Item[]): Map<string, Item> {
  return new Map(items.map((item) => [item.id, item]))
}
