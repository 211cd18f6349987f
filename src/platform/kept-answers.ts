import { signalOf } from './signals.ts'

/** A kept answer of the API, as far as it is about people. */
export interface KeptAnswer {
  /** The id of the row that keeps it. */
  id: string
  /** Texts that may hold an address or a number. */
  texts: string[]
  /** UUIDs of responses and people that it names. */
  named: string[]
}

/** An answer is stored for repeats of its request. */
export const ANSWER_KEPT = signalOf<KeptAnswer>('answer kept')
/** Stored answers are deleted or erased: their ids. */
export const ANSWERS_GONE = signalOf<string[]>('answers gone')
