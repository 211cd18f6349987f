import { ANSWER_KEPT, ANSWERS_GONE } from '../../../platform/kept-answers.ts'
import { listenTo, type Listener } from '../../../platform/work/listeners.ts'
import { forgetContacts, indexContacts } from './contacts.service.ts'

// Answers that are kept for repeated requests are found by the contacts in them, as typed texts are.
export const onKept: Listener = listenTo(ANSWER_KEPT, async (scope, tx) => ({
  handle: (answer) => indexContacts(scope, tx, 'idempotency_keys', answer),
}))

export const onGone: Listener = listenTo(ANSWERS_GONE, async (_scope, tx) => ({
  handle: (ids) => forgetContacts(tx, ids),
}))
