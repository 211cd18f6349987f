import type { PersonalData } from '../../../platform/personal.ts'
import * as store from './batches.store.ts'

/** Earlier values of responses that a batch can still give back. */
export const personal: PersonalData = {
  stores: [
    {
      store: 'responses',
      table: 'batch_rows',
      columns: ['kept'],
      find: async (_scope, tx, { responseIds, mentionedIn, personIds }) => ({
        keys: await store.listKept(tx, [...responseIds, ...mentionedIn, ...personIds]),
      }),
      erase: (_scope, tx, keys) => store.forgetRows(tx, keys),
      // The response itself is exported.
      export: async () => [],
    },
  ],
}
