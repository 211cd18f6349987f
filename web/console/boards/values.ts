import type { Schemas } from '../../api/client.ts'
import { useMemberName } from '../app/me.ts'
import { formatDuration, formatLanguage, formatNumber, formatRate } from '../words/format.ts'
import { useWords } from '../words/words.ts'

export type Unit = Schemas['Figure']['unit']

const MINUTE_MS = 60_000

/** A figure in words of its unit. */
export function valueText(value: number, unit: Unit): string {
  if (unit === 'percent') return formatRate(Math.round(value * 10) / 10)
  if (unit === 'milliseconds') return formatDuration(value)
  if (unit === 'minutes') return formatDuration(value * MINUTE_MS)
  return formatNumber(value, unit === 'score' && Math.abs(value) < 10 ? 1 : 0)
}

/** Groups whose keys the console has words for. The API names surveys, agents, topics and rules itself. */
const IN_WORDS = new Set(['channel', 'band', 'sentiment', 'status', 'priority'])

/** The name of a group, in the language of the console. */
export function useGroupName(by: string[] = []): (row: { key: string; label: string }) => string {
  const words = useWords()
  const memberName = useMemberName()
  const [only] = by
  return ({ key, label }) => {
    if (by.length !== 1 || only === undefined) return label
    if (IN_WORDS.has(only)) return words(`list:values.${key}`)
    if (only === 'language') return formatLanguage(key)
    return only === 'owner' ? (memberName(key) ?? label) : label
  }
}
