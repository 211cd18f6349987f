import type { SecretBox } from '../../../platform/config/secrets.ts'
import type { Id } from '../../../platform/ids.ts'

type Change = Record<string, unknown>

/** Members of a change that may name somebody. */
const WORDS = new Set(['add_tags', 'remove_tags', 'attributes', 'agent_id', 'language'])

/** A change as its batch keeps it: its words are sealed. */
export function sealChange(
  secrets: SecretBox,
  id: Id<'batch'>,
  change: Change,
): { change: Change; words: string | null } {
  const words = Object.entries(change).filter(([name, value]) => WORDS.has(name) && value !== null)
  if (words.length === 0) return { change, words: null }
  const blank = Object.fromEntries(words.map(([name]) => [name, null]))
  const sealed = secrets.seal(JSON.stringify(Object.fromEntries(words)), contextOf(id))
  return { change: { ...change, ...blank }, words: sealed }
}

/** The whole change. Words that were forgotten are null. */
export function openChange(
  secrets: SecretBox,
  { id, change, words }: { id: Id<'batch'>; change: Change; words: string | null },
): Change {
  return words === null ? change : { ...change, ...(JSON.parse(secrets.open(words, contextOf(id))) as Change) }
}

function contextOf(id: Id<'batch'>): string {
  return `batches:${id}`
}
