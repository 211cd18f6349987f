import type { AnswerValue, ConditionLeaf, MatrixQuestion } from '../model/definition.ts'
import { LIMITS } from '../model/limits.ts'
import { isRecord } from '../model/record.ts'
import { MANY, type Behaviour, type Comparison, type Reading } from './behaviour.ts'
import { labelOf, checkLines } from './families/choices.ts'
import { idsOf, MEMBERSHIP, membersOf, PRESENCE } from './families/comparisons.ts'
import { joined } from '../model/text.ts'
import { askFrom, optionsOf, readOption } from './families/options-in-replies.ts'

/** One column for each row. */
export const matrix: Behaviour<MatrixQuestion, 'matrix'> = {
  kind: 'matrix',
  read: readCells,
  lacking: (value, { rows }, required) =>
    required && value !== undefined && cellsOf(value).length < rows.length ? 'Answer every row.' : null,
  comparison: () => CELLS,
  show: (value, { rows, columns }, showing) =>
    joined(
      cellsOf(value),
      '; ',
      ([row, column]) => `${labelOf(rows, row, showing)}: ${labelOf(columns, column, showing)}`,
    ),
  controls: ({ rows, columns }) => rows.length * columns.length,
  checkDraft(issues, { rows, columns }, path) {
    checkLines(issues, rows, `${path}.rows`)
    checkLines(issues, columns, `${path}.columns`)
    if (rows.length * columns.length > LIMITS.matrixCells) {
      issues.add(`${path}.rows`, `Remove rows or columns; a matrix may have at most ${LIMITS.matrixCells} cells.`)
    }
  },
  checkPublish(issues, { rows, columns }, path) {
    if (rows.length === 0) issues.add(`${path}.rows`, 'Add rows.')
    if (columns.length === 0) issues.add(`${path}.columns`, 'Add columns.')
  },
  options: ({ columns }) => columns,
  parts: ({ rows }) => rows.map(({ id }) => id),
  ask({ rows, columns }, asking) {
    const row = rows.find(({ id }) => id === asking.part)
    return askFrom(optionsOf(columns, asking), asking, { intro: row ? [`${asking.label(row.label)}:`] : [] })
  },
  reply(heard, { columns }) {
    const column = readOption(heard.text, optionsOf(columns, heard), heard.language)
    if (column === 'many') return MANY
    return column !== null && heard.part !== null
      ? { ...(isRecord(heard.before) ? heard.before : {}), [heard.part]: column }
      : null
  },
  lint({ rows }, channel) {
    if (channel === 'sms')
      return rows.length > 1 ? [`It is asked in ${rows.length} messages, one after the other.`] : []
    return rows.length > 3 ? [`It is asked in ${rows.length} turns.`] : []
  },
}

const CELLS: Comparison<MatrixQuestion> = {
  operators: [...MEMBERSHIP, ...PRESENCE],
  operand: (value) => cellsOf(value).map(([row, column]) => `${row}:${column}`),
  misfit(values, question) {
    const [rows, columns] = [idsOf(question.rows), idsOf(question.columns)]
    const isCell = ([row = '', column = '', ...more]: string[]) =>
      rows.has(row) && columns.has(column) && more.length === 0
    return values.every((value) => isCell(String(value).split(':', 3)))
      ? null
      : 'Compare with a row and column id, as in row:column.'
  },
  impossible: twoColumnsInOneRow,
}

function twoColumnsInOneRow(leaf: ConditionLeaf): string | null {
  if (leaf.op !== 'all_of') return null
  const rows = new Map<string, unknown>()
  for (const cell of membersOf(leaf)) {
    const row = String(cell).slice(0, String(cell).indexOf(':'))
    if (rows.has(row) && rows.get(row) !== cell) return `No answer passes this test; the row ${row} has one column.`
    rows.set(row, cell)
  }
  return null
}

function readCells(raw: unknown, question: MatrixQuestion): Reading {
  if (!isRecord(raw)) return { problem: 'Answer with an object of row ids and column ids.' }
  const rows = new Set(question.rows.map(({ id }) => id))
  const columns = new Set(question.columns.map(({ id }) => id))
  const value: Record<string, string> = {}
  for (const [row, column] of Object.entries(raw)) {
    if (!rows.has(row)) return { problem: 'Use only the row ids of this question.' }
    if (column === null) continue
    if (typeof column !== 'string' || !columns.has(column))
      return { problem: `Choose one of the columns for the row ${row}.` }
    value[row] = column
  }
  return Object.keys(value).length > 0 ? { value } : null
}

function cellsOf(value: AnswerValue): [string, string][] {
  return Object.entries(value as Record<string, string>)
}
