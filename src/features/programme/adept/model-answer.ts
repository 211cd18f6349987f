import { z } from 'zod'
import { soundCitations, type Citation, type Evidence } from './evidence.ts'
import type { Figure } from './figures.ts'
import { hasAmount } from './number-words.ts'
import { masked } from '../../trust/addresses/masked.ts'

const Reply = z.object({
  answer: z.string().min(1).max(4_000),
  citations: z
    .array(z.object({ id: z.string(), quote: z.string() }))
    .max(50)
    .default([]),
})

const SENTENCE = /(?<=[.!?])\s+/u
const PLACE = /\{f(\d{1,2})\}/g
const MARKUP = /[<>`]|\]\(|\bjavascript:/iu

export interface SoundAnswer {
  answer: string
  citations: Citation[]
}

/**
 * The part of a model's reply that may be shown. A sentence with an amount of its own, a link or markup is left out:
 * numbers come from queries, by their place `{f1}`. Null if nothing is left.
 */
export function soundAnswer(reply: string, evidence: Evidence[], figures: Figure[]): SoundAnswer | null {
  const parsed = Reply.safeParse(readObject(reply)).data
  if (!parsed) return null
  const sentences = parsed.answer.split(SENTENCE).filter((sentence) => {
    const words = sentence.replaceAll(PLACE, '')
    const places = [...sentence.matchAll(PLACE)].every(([, number]) => figures[Number(number) - 1])
    return places && !hasAmount(words) && !MARKUP.test(words) && masked(words) === words
  })
  const answer = sentences
    .join(' ')
    .replaceAll(PLACE, (_, number: string) => String(figures[Number(number) - 1]?.value ?? ''))
    .trim()
  if (answer === '') return null
  return { answer, citations: soundCitations(parsed.citations, evidence) }
}

/** The first JSON object of a reply, which may stand among other words. */
export function readObject(reply: string): unknown {
  const [from, to] = [reply.indexOf('{'), reply.lastIndexOf('}')]
  if (from === -1 || to < from) return null
  try {
    return JSON.parse(reply.slice(from, to + 1))
  } catch {
    return null
  }
}
