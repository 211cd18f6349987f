import { anchorOf, START } from '../../../../../src/survey-engine/logic/rules.ts'
import { questionPositions } from '../../../../../src/survey-engine/model/names.ts'
import type { Draft } from './draft.ts'
import { shownOnlyIf, type Condition, type ConditionLeaf } from './logic.ts'

export interface MapNode {
  id: string
  kind: 'question' | 'ending'
  /** From the top. */
  row: number
  /** Shown only if a rule says so. */
  isAside: boolean
}

export interface MapEdge {
  from: string
  to: string
  /** The rule that leads this way; null for the way without a rule. */
  rule: number | null
  /** Passes over questions. */
  isJump: boolean
}

/** Of people who give an ending that is not theirs: the survey's usual end. */
export const USUAL_END = ''

/** Every way through the survey. */
export function mapOf(draft: Draft): { nodes: MapNode[]; edges: MapEdge[] } {
  const aside = shownOnlyIf(draft)
  const { questions, endings } = draft
  const ends = endings.length === 0 ? [USUAL_END] : endings.map(({ id }) => id)
  const usual = endings.find(({ outcome }) => outcome !== 'screened_out')?.id ?? ends[0] ?? USUAL_END
  const nodes: MapNode[] = [
    ...questions.map(({ id }, row) => ({ id, kind: 'question' as const, row, isAside: aside.has(id) })),
    ...ends.map((id, at) => ({
      id: endId(id),
      kind: 'ending' as const,
      row: questions.length + at,
      isAside: id !== usual,
    })),
  ]
  const positions = questionPositions(draft)
  const edges: MapEdge[] = []
  const last = endId(usual)
  for (const [place, { id }] of questions.entries()) {
    const next = questions.slice(place + 1).find((question) => !aside.has(question.id))
    edges.push({ from: id, to: next?.id ?? last, rule: null, isJump: false })
  }
  for (const [at, rule] of draft.logic.entries()) {
    const anchor = anchorOf(rule, positions)
    if (anchor === null || anchor === START) continue
    const from = questions[anchor]?.id
    if (from === undefined) continue
    for (const action of rule.then) {
      if (action.action === 'show') edges.push({ from, to: action.question, rule: at, isJump: false })
      if (action.action === 'jump') edges.push({ from, to: action.to, rule: at, isJump: true })
      if (action.action === 'end') edges.push({ from, to: endId(action.ending ?? usual), rule: at, isJump: true })
    }
  }
  return { nodes, edges }
}

function endId(id: string): string {
  return `end ${id}`
}

type Filter = Record<string, unknown>

/** The condition as a filter of responses; null where a filter cannot say it. */
export function filterOf(condition: Condition): Filter | null {
  if ('all' in condition || 'any' in condition) {
    const members = 'all' in condition ? condition.all : condition.any
    const filters = members.map((member) => filterOf(member))
    if (filters.some((each) => each === null)) return null
    return 'all' in condition ? { all: filters } : { any: filters }
  }
  return testFilter(condition)
}

const SAME: ReadonlySet<string> = new Set([
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'contains',
  'starts_with',
  'one_of',
])

function testFilter(test: ConditionLeaf): Filter | null {
  if ('variable' in test) return null
  const field = 'question' in test ? `answer.${test.question}` : `custom.${test.custom}`
  if (test.op === 'is_answered') return { field, op: 'is_set' }
  if (test.op === 'is_skipped') return { field, op: 'is_not_set' }
  return SAME.has(test.op) ? { field, op: test.op, value: test.value } : null
}
