import type { PlainQuestion } from '../model/definition.ts'
import type { Behaviour } from './behaviour.ts'

/** A text that is only shown. */
export const statement: Behaviour<PlainQuestion, 'none'> = {
  kind: 'none',
  read: () => ({ problem: 'A statement takes no answer; leave it out.' }),
  comparison: () => ({ operators: [], operand: String, misfit: () => null }),
  show: () => '',
  ask: () => [],
  reply: () => null,
}
