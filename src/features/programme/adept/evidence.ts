import { masked, textForModel } from '../../trust/addresses/masked.ts'

/** A text that an answer may cite. */
export interface Evidence {
  responseId: string
  questionId: string
  text: string
  label: 'negative' | 'neutral' | 'positive'
  topics: string[]
}

export interface Citation {
  response_id: string
  question_id: string
  quote: string
}

const LONGEST_QUOTE = 280

/** The texts as a model reads them: under names that mean nothing elsewhere, cut, and without addresses. */
export function shownTo(evidence: Evidence[]): Array<{ id: string; text: string }> {
  return evidence.map(({ text }, at) => ({ id: `t${at + 1}`, text: textForModel(text) }))
}

/** The citations of a model that are true: a text that it was given, and words that stand in it. */
export function soundCitations(given: ReadonlyArray<{ id: string; quote: string }>, evidence: Evidence[]): Citation[] {
  const found = new Map<string, Citation>()
  for (const { id, quote } of given) {
    const source = evidence[Number(/^t(\d{1,3})$/.exec(id)?.[1]) - 1]
    const words = quote.trim()
    if (!source || words === '' || words.length > LONGEST_QUOTE || !source.text.includes(words)) continue
    // Our mask is not the respondent's word, and an address is left out.
    if (masked(words) !== words) continue
    found.set(`${id} ${words}`, { response_id: source.responseId, question_id: source.questionId, quote: words })
  }
  return [...found.values()].slice(0, 10)
}

/** The texts themselves as citations, cut at a word. */
export function quoted(evidence: Evidence[], most: number): Citation[] {
  return evidence
    .filter(({ text }) => {
      const shown = text.slice(0, 2 * LONGEST_QUOTE)
      return masked(shown) === shown
    })
    .slice(0, most)
    .map(({ responseId, questionId, text }) => ({ response_id: responseId, question_id: questionId, quote: cut(text) }))
}

function cut(text: string): string {
  const whole = text.trim()
  if (whole.length <= LONGEST_QUOTE) return whole
  const start = whole.slice(0, LONGEST_QUOTE)
  return start.slice(0, Math.max(start.lastIndexOf(' '), LONGEST_QUOTE - 40)).trimEnd()
}
