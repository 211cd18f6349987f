import { shown } from './texts.ts'
import { changedMembers, isSame, type Draft, type Member, type Question, type Rule } from './draft.ts'

export type Change =
  | {
      kind: 'added' | 'removed'
      what: 'question' | 'ending' | 'quota' | 'rule'
      id: string
      title: string
      place: number
    }
  | { kind: 'moved'; what: 'question'; id: string; title: string; from: number; to: number }
  | { kind: 'words'; what: 'question' | 'ending'; id: string; title: string; language: string; parts: Part[] }
  /** Settings that changed, by their names. */
  | { kind: 'settings'; what: 'question' | 'ending' | 'quota' | 'survey'; id: string; title: string; names: string[] }

/** A run of words that both texts have, that is new, or that is gone. */
export interface Part {
  kind: 'same' | 'new' | 'gone'
  text: string
}

/** The changes that make `after` of `before`, by the ids of its questions. */
export function compare(before: Draft, after: Draft): Change[] {
  return [
    ...compareQuestions(before, after),
    ...compareRules(before, after),
    ...compareEndings(before, after),
    ...compareQuotas(before, after),
    ...compareSettings(before, after),
  ]
}

function compareQuestions(before: Draft, after: Draft): Change[] {
  const [old, now] = [byId(before.questions), byId(after.questions)]
  const titleOf = (question: Question, draft: Draft) => shown(question.title, draft) || question.id
  const changes: Change[] = []
  for (const [place, question] of after.questions.entries()) {
    const title = titleOf(question, after)
    const earlier = old.get(question.id)
    if (!earlier) changes.push({ kind: 'added', what: 'question', id: question.id, title, place })
    else changes.push(...compareThing('question', earlier, question, title, after))
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

function compareThing(
  what: 'question' | 'ending',
  before: object,
  after: object,
  title: string,
  draft: Draft,
): Change[] {
  const [old, now] = [before as Thing, after as Thing]
  const changes: Change[] = []
  for (const name of TEXTS) changes.push(...compareText(what, old, now, name, title, draft))
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    (name) => !TEXTS.includes(name) && !isSame(old[name], now[name]),
  )
  if (names.length > 0) changes.push({ kind: 'settings', what, id: now.id, title, names })
  return changes
}

function compareText(
  what: 'question' | 'ending',
  old: Thing,
  now: Thing,
  name: string,
  title: string,
  draft: Draft,
): Change[] {
  const [before, after] = [textsOf(old[name], draft), textsOf(now[name], draft)]
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((language): Change[] => {
    const [a, b] = [before.get(language) ?? '', after.get(language) ?? '']
    return a === b ? [] : [{ kind: 'words', what, id: now.id, title, language, parts: compareWords(a, b) }]
  })
}

function textsOf(text: unknown, { default_language }: Draft): Map<string, string> {
  if (text === undefined) return new Map()
  return new Map(typeof text === 'string' ? [[default_language, text]] : Object.entries(text as Record<string, string>))
}

function compareRules(before: Draft, after: Draft): Change[] {
  const has = (rules: Rule[], rule: Rule) => rules.some((each) => isSame(bare(each), bare(rule)))
  const change = (kind: 'added' | 'removed', rule: Rule, place: number): Change => ({
    kind,
    what: 'rule',
    id: rule.id ?? String(place),
    title: '',
    place,
  })
  return [
    ...after.logic.flatMap((rule, place) => (has(before.logic, rule) ? [] : [change('added', rule, place)])),
    ...before.logic.flatMap((rule, place) => (has(after.logic, rule) ? [] : [change('removed', rule, place)])),
  ]
}

// The id of a rule says nothing of what it does.
function bare({ after, when, then }: Rule): Omit<Rule, 'id'> {
  return { ...(after !== undefined && { after }), when, then }
}

function compareEndings(before: Draft, after: Draft): Change[] {
  const [old, now] = [byId(before.endings), byId(after.endings)]
  return [
    ...after.endings.flatMap((ending, place): Change[] => {
      const title = shown(ending.title, after) || ending.id
      const earlier = old.get(ending.id)
      return earlier
        ? compareThing('ending', earlier, ending, title, after)
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

const MOST_WORDS = 400

/** Words that both have, in order, and those around them. */
export function compareWords(before: string, after: string): Part[] {
  const [old, now] = [wordsOf(before), wordsOf(after)]
  if (old.length > MOST_WORDS || now.length > MOST_WORDS)
    return [
      { kind: 'gone', text: before },
      { kind: 'new', text: after },
    ]
  const lengths = table(old, now)
  const parts: Part[] = []
  const add = (kind: Part['kind'], text: string) => {
    const last = parts.at(-1)
    if (last?.kind === kind) last.text += text
    else parts.push({ kind, text })
  }
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      add('same', old[i] ?? '')
      i++
      j++
    } else if (j >= now.length || (i < old.length && at(lengths, i + 1, j) >= at(lengths, i, j + 1)))
      add('gone', old[i++] ?? '')
    else add('new', now[j++] ?? '')
  }
  return parts
}

function wordsOf(text: string): string[] {
  return text.match(/\s+|[^\s]+/gu) ?? []
}

/** The length of the longest run in order that the rests of both lists share, for each pair of places. */
function table<Item>(a: readonly Item[], b: readonly Item[]): number[][] {
  const lengths = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0))
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) {
      const row = lengths[i] as number[]
      row[j] = a[i] === b[j] ? at(lengths, i + 1, j + 1) + 1 : Math.max(at(lengths, i + 1, j), at(lengths, i, j + 1))
    }
  return lengths
}

function at(lengths: number[][], i: number, j: number): number {
  return lengths[i]?.[j] ?? 0
}

/** The ids that keep their order: every other one was moved. */
function longestCommon(a: string[], b: string[]): Set<string> {
  const lengths = table(a, b)
  const found = new Set<string>()
  let [i, j] = [0, 0]
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      found.add(a[i] ?? '')
      i++
      j++
    } else if (at(lengths, i + 1, j) >= at(lengths, i, j + 1)) i++
    else j++
  }
  return found
}

function byId<Item extends { id: string }>(items: readonly Item[]): Map<string, Item> {
  return new Map(items.map((item) => [item.id, item]))
}
