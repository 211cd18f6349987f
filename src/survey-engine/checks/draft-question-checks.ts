import type { Question } from '../model/definition.ts'
import { isCalendarDate, isHttpUrl } from '../model/formats.ts'
import { SLUG, checkIds } from '../model/identifiers.ts'
import type { Issues } from '../model/issues.ts'
import { LIMITS } from '../model/limits.ts'
import { allowsOther, choicesOf } from '../model/questions.ts'

/** Reports what is out of range or malformed within one question; `path` is the question's own. */
export function checkQuestionSettings(issues: Issues, question: Question, path: string): void {
  checkLines(issues, choicesOf(question), `${path}.choices`)
  checkChoices(issues, question, path)
  switch (question.type) {
    case 'rating':
      if (!isWholeFrom(question.scale, 3, 10)) issues.add(`${path}.scale`, 'Use a whole number from 3 to 10.')
      return
    case 'multi':
      for (const key of ['min_choices', 'max_choices'] as const) {
        if (!isWholeFrom(question[key] ?? 1, 0, LIMITS.choices + 1)) issues.add(`${path}.${key}`, 'Use a whole number.')
      }
      return
    case 'ranking':
      if (question.choices.length > LIMITS.rankedChoices) issues.add(`${path}.choices`, `Remove some; at most ${LIMITS.rankedChoices} can be ranked.`)
      return
    case 'matrix':
      checkLines(issues, question.rows, `${path}.rows`)
      checkLines(issues, question.columns, `${path}.columns`)
      if (question.rows.length * question.columns.length > LIMITS.matrixCells) {
        issues.add(`${path}.rows`, `Remove rows or columns; a matrix may have at most ${LIMITS.matrixCells} cells.`)
      }
      return
    case 'open_text':
      if (!isWholeFrom(question.max_length ?? 1, 1, LIMITS.openTextMost)) {
        issues.add(`${path}.max_length`, `Use a whole number from 1 to ${LIMITS.openTextMost}.`)
      }
      return
    case 'date':
      for (const key of ['min', 'max'] as const) {
        const date = question[key]
        if (date !== undefined && !isCalendarDate(date)) issues.add(`${path}.${key}`, 'Use a date that exists, such as 2026-11-22.')
      }
  }
}

function checkLines(issues: Issues, lines: { id: string }[], path: string): void {
  if (lines.length > LIMITS.choices) issues.add(path, `Remove some; there may be at most ${LIMITS.choices}.`)
  checkIds(
    issues,
    lines.map(({ id }, index) => ({ path: `${path}.${index}.id`, id })),
    SLUG,
  )
}

function checkChoices(issues: Issues, question: Question, path: string): void {
  for (const [index, { id, image_url }] of choicesOf(question).entries()) {
    if (id === 'other' && allowsOther(question)) {
      issues.add(`${path}.choices.${index}.id`, 'Choose another id; other stands for the free answer that allow_other adds.')
    }
    if (image_url !== undefined && !isImageUrl(image_url)) {
      issues.add(`${path}.choices.${index}.image_url`, 'Use an http(s) address, or a path on this server that starts with /.')
    }
  }
}

function isImageUrl(url: string): boolean {
  return isHttpUrl(url) || (url.length <= LIMITS.urlLength && /^\/(?![/\\])[^\s\\]*$/.test(url))
}

function isWholeFrom(value: number, low: number, high: number): boolean {
  return Number.isInteger(value) && value >= low && value <= high
}
