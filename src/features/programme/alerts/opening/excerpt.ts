import type { ResponseRow } from '../../../answers/rows/response.entity.ts'

const LONGEST = 500

/** The respondent's texts, without contact data. */
export function spokenIn(row: Pick<ResponseRow, 'text'>): Array<{ questionId: string; value: string }> {
  return row.text.flatMap(({ question_id, value }) =>
    typeof value === 'string' && value.trim() !== '' ? [{ questionId: question_id, value: cut(value) }] : [],
  )
}

/** The beginning of the first text. Null if there is none. */
export function excerptOf(row: Pick<ResponseRow, 'text'>): string | null {
  return spokenIn(row)[0]?.value ?? null
}

function cut(text: string): string {
  const letters = Array.from(text.trim())
  return letters.length <= LONGEST ? letters.join('') : `${letters.slice(0, LONGEST - 1).join('')}…`
}
