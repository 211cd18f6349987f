import { listenTo, type Listener } from '../../../platform/work/listeners.ts'
import { COMPLETED } from '../../answers/responses/completion.service.ts'
import * as store from './people.store.ts'

/** Notes the last response of a person, in the transaction that completes or releases it. */
export const onCompleted: Listener = listenTo(COMPLETED, async (_scope, tx) => ({
  async handle({ person_id, completed_at: at, score, band }) {
    if (person_id && at) await store.stampResponded(tx, person_id, { at, score, band })
  },
}))
