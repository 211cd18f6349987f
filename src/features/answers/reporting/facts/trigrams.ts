import { fold } from '../../../../platform/filter/folding.ts'
import type { FilterNode } from '../../../../platform/filter/grammar.ts'

/** The fact of a block that says which letters its texts have. */
export const TRIGRAMS = '["trigrams"]'
/** Responses of a day that follow each other. A part of facts is a whole number of blocks. */
export const BLOCK = 128
/** Bits of that fact: so many that few trigrams of a block share one, and so few that it takes 1 KB. A prime. */
export const TRIGRAM_BITS = 8_191

const WORD = /[a-z0-9]{3,}/g

/**
 * The bits that a block has if one of its texts contains this one, in upper or lower case. Each stands for three
 * letters or digits of ASCII that follow each other. Empty for a text that has no three of them: any block may have it.
 */
export function trigramsOf(text: string): number[] {
  const words = fold(text).match(WORD) ?? []
  const bits = words.flatMap((word) =>
    Array.from({ length: word.length - 2 }, (_, at) => {
      const [first, second, third] = [at, at + 1, at + 2].map((index) => word.charCodeAt(index)) as [
        number,
        number,
        number,
      ]
      return (first * 65_536 + second * 256 + third) % TRIGRAM_BITS
    }),
  )
  return [...new Set(bits)]
}

/** The same for all texts that a response contains if it passes a filter. */
export function trigramsIn(node: FilterNode): number[] {
  if ('all' in node) return [...new Set(node.all.flatMap(trigramsIn))]
  return 'field' in node && node.field === 'text' && node.op === 'contains' ? trigramsOf(String(node.value)) : []
}
