import { formatId } from '../../../platform/ids.ts'
import { isOf, responsesOf, type PersonalData } from '../../../platform/personal.ts'
import { listChatReceivers } from '../notifications/chat-copies.service.ts'
import { listReceivers } from '../webhooks/log/receivers.service.ts'
import { listToldEvents } from '../webhooks/log/told.service.ts'
import { supersedeAttempts } from '../webhooks/registration/webhook-state.service.ts'
import * as store from './personal.store.ts'

/** Events about a person's responses. */
export const personal: PersonalData = {
  stores: [
    {
      store: 'events',
      table: 'events',
      columns: ['data'],
      async find(scope, tx, person) {
        const ofResponses = await store.listTelling(tx, responsesOf(person))
        const told = await store.listStillTelling(tx, await listToldEvents(scope, tx, person))
        return { keys: [...new Set([...ofResponses, ...told])] }
      },
      async erase(_scope, tx, keys) {
        const erased = await store.eraseEvents(tx, keys)
        // A worker may hold the old content. Its attempt is recorded without an answer, and a retry has the new content.
        await supersedeAttempts(tx, keys)
        return erased
      },
      export: async (_scope, tx, keys, person) =>
        (await store.listEvents(tx, keys)).filter(isOf(person)).map(({ id, type, data, created_at }) => ({
          id: formatId('event', id),
          type,
          created_at: created_at.toISOString(),
          data: JSON.parse(data) as unknown,
        })),
      listCopies: async (_scope, tx, keys) => [
        ...(await listReceivers(tx, keys)).map(
          ({ target, at }) => ({ kind: 'webhook', target, at: at.toISOString() }) as const,
        ),
        ...(await listChatReceivers(tx, keys)),
      ],
    },
  ],
}
