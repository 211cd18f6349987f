import { unregister } from '../../../platform/database/directory.ts'
import { formatId } from '../../../platform/ids.ts'
import { hashesOf, type PersonalData } from '../../../platform/personal.ts'
import { PROVIDER_MESSAGE } from './acceptance.service.ts'
import * as store from './personal.store.ts'
import { openRecipient } from './send-secrets.ts'
import { sends } from './send.entity.ts'

/** Messages to a person. Their counts stay. */
export const personal: PersonalData = {
  stores: [
    {
      store: 'sends',
      table: 'sends',
      columns: sends.personal,
      async find(scope, tx, person) {
        const rows = await store.listOfPerson(tx, {
          hashes: hashesOf(person),
          responseIds: person.responseIds,
          personIds: person.personIds,
        })
        return {
          keys: rows.map(({ id }) => id),
          addresses: rows.map(({ id, channel, address_hash, recipient }) => ({
            kind: channel === 'email' ? ('email' as const) : ('phone' as const),
            hash: address_hash,
            address: recipient ? openRecipient(scope.secrets, id, recipient).address : null,
          })),
          responseIds: rows.flatMap(({ response_id }) => response_id ?? []),
          personIds: rows.flatMap(({ person_id }) => person_id ?? []),
        }
      },
      async erase(scope, tx, keys) {
        const providerIds = await store.lockProviderIds(tx, keys)
        await unregister(tx, PROVIDER_MESSAGE, providerIds)
        return store.eraseSends(tx, keys, scope.clock.now())
      },
      export: async (scope, tx, keys) =>
        (await store.listSends(tx, keys)).map((row) => {
          const known = row.recipient ? openRecipient(scope.secrets, row.id, row.recipient) : null
          return {
            ...sends.archive(row),
            address: known?.address,
            name: known?.name,
            timezone: known?.timezone,
            custom_data: known?.customData,
          }
        }),
      listCopies: async (_scope, tx, keys) =>
        (await store.listSends(tx, keys)).flatMap(({ id, channel, provider_id, accepted_at, calling_at }) => {
          const at = accepted_at ?? calling_at
          return at
            ? [{ kind: channel, target: `message ${provider_id ?? formatId('send', id)}`, at: at.toISOString() }]
            : []
        }),
    },
  ],
}
