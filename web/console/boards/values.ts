import type { Schemas } from '../../api/client.ts'
import { useMemberName } from '../app/me.ts'
import { formatLanguage } from '../words/format.ts'
import { useWords } from '../words/words.ts'

export type Unit = Schemas['Figure']['unit']

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
