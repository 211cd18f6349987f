import { fold } from '../../../platform/filter/folding.ts'
import { normalForm } from '../../../platform/text/normal-form.ts'
import type { TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import { startSlices } from '../../../platform/loop/turns.ts'
import type { HashAddress } from '../../trust/addresses/addresses.service.ts'
import * as store from './people.store.ts'

// People in one statement, because the driver writes its values without a break.
const BATCH = 1_000

/**
 * Writes the words by which people are found. The caller holds the lock of the workspace.
 * @param stored those who may have words of an earlier name. They lose these.
 */
export async function replaceNames(
  tx: TenantTx,
  hashOf: HashAddress,
  names: ReadonlyMap<Id<'person'>, string | null>,
  stored: ReadonlySet<Id<'person'>>,
): Promise<void> {
  const renamed = [...names]
  // Many people share a first name, and a keyed hash takes longer than a look-up.
  const hashes = new Map<string, string>()
  const slices = startSlices()
  for (let at = 0; at < renamed.length; at += BATCH) {
    const part = renamed.slice(at, at + BATCH)
    const words: store.NameWord[] = []
    for (const [person_id, name] of part) {
      if (slices.isOver()) await slices.next()
      for (const word of nameWords(name ?? '')) {
        const word_hash = hashes.get(word) ?? hashOf('name', word)
        hashes.set(word, word_hash)
        words.push({ word_hash, person_id })
      }
    }
    const before = part.flatMap(([id]) => (stored.has(id) ? [id] : []))
    if (before.length > 0) await store.deleteNameWords(tx, before)
    if (words.length > 0) await store.insertNameWords(tx, words)
    await slices.next()
  }
}

/** Removes records, and what they are found by. Returns how many there were. */
export async function removePeople(tx: TenantTx, ids: string[]): Promise<number> {
  const removed = await store.deletePeople(tx, ids)
  // After the records: they wait for a change under way, and only the next statement sees the words that it wrote.
  await store.deleteNameWords(tx, ids)
  return removed
}

const MOST_WORDS = 8
const LONGEST_WORD = 60
// A mark belongs to its letter: Hindi writes vowels with them.
const WORD = /[\p{L}\p{M}\p{N}]+/gu

/** The first 8 distinct words of a name, without case and accents: `jose` and `garcia` of `José García`. */
export function nameWords(name: string): string[] {
  const words = fold(normalForm(name, 'NFKC')).match(WORD) ?? []
  return [...new Set(words.map((word) => Array.from(word).slice(0, LONGEST_WORD).join('')))].slice(0, MOST_WORDS)
}
