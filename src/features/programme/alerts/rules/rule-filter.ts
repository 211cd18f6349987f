import { needsDatabase } from '../../../../platform/filter/evaluate.ts'
import { fieldOf } from '../../../../platform/filter/entity.ts'
import { testsOf, type Filter, type FilterNode, type FilterTest } from '../../../../platform/filter/grammar.ts'

const NEGATIVE = new Set(['ne', 'not_one_of', 'is_not_set'])

/** The tests of a rule's filter by what they need. The others need the response alone. */
export interface RuleTests {
  /** A value that is known later, once texts are classified. */
  ofTexts: FilterTest[]
  /** Rows of other tables, such as the agent's team. */
  ofOthers: FilterTest[]
}

const known = new WeakMap<Filter, RuleTests>()

/** Rules are remembered, so each is looked through once. */
export function testsOfRule(filter: Filter): RuleTests {
  const before = known.get(filter)
  if (before) return before
  const tests = testsOf(filter)
  const ofTexts = tests.filter(isOfTexts)
  const found = {
    ofTexts,
    ofOthers: tests.filter((test) => !ofTexts.includes(test) && needsDatabase('responses', [test])),
  }
  known.set(filter, found)
  return found
}

/** The filters that these name as parts of themselves: ids of segments. */
export function namedIn(filters: Filter[]): Set<string> {
  return new Set(
    filters.flatMap(testsOf).flatMap(({ field: name, value }) => {
      const field = fieldOf('responses', name)
      return field?.kind === 'own' && field.namesFilters ? [value].flat().map(String) : []
    }),
  )
}

/**
 * A filter that needs the response alone. A test of other tables is replaced by what it said, and one of texts by what
 * it says of a response without any: all of them are unset.
 */
export function withAnswers(filter: Filter, answers: ReadonlyMap<FilterTest, boolean>): Filter {
  const { ofTexts, ofOthers } = testsOfRule(filter)
  return ofTexts.length + ofOthers.length === 0 ? filter : replaced(filter, answers)
}

function replaced(filter: Filter, answers: ReadonlyMap<FilterTest, boolean>): Filter {
  if ('all' in filter) return { all: filter.all.map((node) => answered(node, answers)) }
  if ('any' in filter) return { any: filter.any.map((node) => answered(node, answers)) }
  return { not: answered(filter.not, answers) }
}

function answered(node: FilterNode, answers: ReadonlyMap<FilterTest, boolean>): FilterNode {
  if (!('field' in node)) return replaced(node, answers)
  const holds = isOfTexts(node) ? NEGATIVE.has(node.op) : answers.get(node)
  if (holds === undefined) return node
  return holds ? { all: [] } : { any: [] }
}

function isOfTexts({ field, op }: FilterTest): boolean {
  return fieldOf('responses', field)?.later?.includes(op) === true
}
