import type { Evidence } from './evidence.ts'
import type { Figure } from './figures.ts'

export interface Theme {
  topic_id: string
  name: string
  n: number
  sentiment: number | null
}

const NEGATIVE =
  /\b(?:(?:bad|worst|problems?|unhappy|wrong|churn|mal[oa]s?|problemas?|mejorar)\b|complain|improve|detract|beschwer|schlecht|ärger|negativ|kritik|verbesser|quej|peor)/iu
const POSITIVE = /\b(?:(?:like|love|best|happy|mejor)\b|praise|promot|lob|gut|positiv|beliebt|gust|elogi)/iu

/** The feeling that a question is about. */
export function toneOf(question: string): 'negative' | 'positive' | null {
  if (NEGATIVE.test(question)) return 'negative'
  return POSITIVE.test(question) ? 'positive' : null
}

/** An answer from figures and extracts, without a model. */
export function offlineAnswer(figures: Figure[], themes: Theme[], evidence: Evidence[]): string {
  const [total, ...scores] = figures
  if (!total || total.value === 0) return 'No completed responses match. Choose other surveys or a longer period.'
  const numbers = [
    `${total.value} completed responses`,
    ...scores.map(({ label, value, n }) => `${label} ${value} (n = ${n})`),
  ]
  return [
    `From counts, without a model: ${numbers.join(', ')}.`,
    themesSentence(themes),
    evidence.length > 0
      ? 'The citations are the texts that come nearest to the question.'
      : 'No text comes near the question.',
  ]
    .filter(Boolean)
    .join(' ')
}

function themesSentence(themes: Theme[]): string {
  if (themes.length === 0) return ''
  const named = themes
    .slice(0, 3)
    .map(({ name, n, sentiment }) => `${name} (${n}, sentiment ${sentiment ?? 'unknown'})`)
  return `People write most about ${named.join(', ')}.`
}
