/** A run of words that both texts have, that is new, or that is gone. */
export interface Part {
  kind: 'same' | 'new' | 'gone'
  text: string
}

// The share of the longer text that both need, to be compared word by word.
const LEAST_SHARED = 1 / 3
const MOST_WORDS = 400
// 200 texts of 400 words held the browser for 10 s.
const MOST_PAIRS = 2_000_000

/** How many pairs of words the texts of one comparison may still compare. */
export interface WordBudget {
  pairs: number
}

export function wordBudget(): WordBudget {
  return { pairs: MOST_PAIRS }
}

/**
 * Words that both have, in order, and those around them. Texts that are too long for the budget have none in common.
 */
export function compareWords(before: string, after: string, budget = wordBudget()): Part[] {
  const [old, now] = [wordsOf(before), wordsOf(after)]
  const pairs = old.length * now.length
  if (old.length > MOST_WORDS || now.length > MOST_WORDS || pairs > budget.pairs)
    return [
      { kind: 'gone', text: before },
      { kind: 'new', text: after },
    ]
  budget.pairs -= pairs
  const lengths = runs(old, now)
  const parts: Part[] = []
  const add = (kind: Part['kind'], text = '') => parts.push({ kind, text })
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      add('same', old[i])
      i++
      j++
    } else if (j >= now.length || (i < old.length && lengthAt(lengths, i + 1, j) >= lengthAt(lengths, i, j + 1)))
      add('gone', old[i++])
    else add('new', now[j++])
  }
  return joined(parts)
}

/**
 * The old and the new text whole, each with what changed in it. Changed words with nothing but a space between them are
 * one run. Texts that share few words are other texts: all of both has changed.
 */
export function sidesOf(parts: readonly Part[]): { before: Part[]; after: Part[] } {
  const [before, after] = [sideOf(parts, 'gone'), sideOf(parts, 'new')]
  const countIn = (each: readonly Part[]) => each.reduce((sum, { text }) => sum + text.trim().length, 0)
  const shared = countIn(before.filter(({ kind }) => kind === 'same'))
  if (shared >= LEAST_SHARED * Math.max(countIn(before), countIn(after))) return { before, after }
  return { before: whole(before, 'gone'), after: whole(after, 'new') }
}

function sideOf(parts: readonly Part[], changed: 'gone' | 'new'): Part[] {
  const own = parts.filter(({ kind }) => kind === 'same' || kind === changed)
  return withoutEdges(
    own.map(({ kind, text }, place) => {
      const isBetween = text.trim() === '' && own[place - 1]?.kind === changed && own[place + 1]?.kind === changed
      return { kind: isBetween ? changed : kind, text }
    }),
  )
}

/** A mark begins and ends with a word, not with a space. */
function withoutEdges(parts: readonly Part[]): Part[] {
  const trimmed = joined(parts).flatMap(({ kind, text }): Part[] => {
    const inner = text.trim()
    if (kind === 'same' || inner === '') return [{ kind, text }]
    return [
      { kind: 'same', text: text.slice(0, text.length - text.trimStart().length) },
      { kind, text: inner },
      { kind: 'same', text: text.slice(text.trimEnd().length) },
    ]
  })
  return joined(trimmed)
}

function joined(parts: readonly Part[]): Part[] {
  const runs: Part[] = []
  for (const part of parts.filter(({ text }) => text !== '')) {
    const last = runs.at(-1)
    if (last?.kind === part.kind) last.text += part.text
    else runs.push({ ...part })
  }
  return runs
}

function whole(parts: readonly Part[], kind: Part['kind']): Part[] {
  return parts.length === 0 ? [] : [{ kind, text: parts.map(({ text }) => text).join('') }]
}

function wordsOf(text: string): string[] {
  return text.match(/\{\{[^{}]*\}\}|\s+|[\p{L}\p{M}\p{N}]+|\S/gu) ?? []
}

/** The length of the longest run in order that the rests of both lists share, for each pair of places. */
export function runs<Item>(a: readonly Item[], b: readonly Item[]): number[][] {
  const lengths = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0))
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) {
      const row = lengths[i] as number[]
      row[j] =
        a[i] === b[j]
          ? lengthAt(lengths, i + 1, j + 1) + 1
          : Math.max(lengthAt(lengths, i + 1, j), lengthAt(lengths, i, j + 1))
    }
  return lengths
}

export function lengthAt(lengths: number[][], i: number, j: number): number {
  return lengths[i]?.[j] ?? 0
}
