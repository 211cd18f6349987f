import type { PersonalData } from '../../../platform/personal.ts'
import * as store from './agents.store.ts'

/** Agents are staff. An external id that a respondent typed may still be somebody's address. */
export const personal: PersonalData = {
  stores: [
    {
      store: 'people',
      table: 'agents',
      columns: ['external_id', 'name', 'email'],
      find: async (_scope, tx, { addresses }) => ({
        keys: await store.listOfPerson(
          tx,
          addresses.flatMap(({ address }) => (address === null ? [] : [address.toLowerCase()])),
        ),
      }),
      erase: (_scope, tx, keys) => store.eraseAgents(tx, keys),
      export: async (_scope, tx, keys) =>
        (await store.listExisting(tx, keys as Parameters<typeof store.listExisting>[1])).map(
          ({ external_id, name, team, email }) => ({ external_id, name, team, email }),
        ),
    },
  ],
}
