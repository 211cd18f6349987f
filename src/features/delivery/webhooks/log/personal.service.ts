import { formatId } from '../../../../platform/ids.ts'
import { isOf, responsesOf, type PersonalData } from '../../../../platform/personal.ts'
import { listToldEvents } from './told.service.ts'
import * as store from './personal.store.ts'

/** Answers of receivers: they may repeat what they were sent. */
export const personal = {
  stores: [
    {
      store: 'deliveries',
      table: 'webhook_attempts',
      columns: ['response_excerpt'],
      async find(scope, tx, person) {
        const ofResponses = await store.listAnswered(tx, responsesOf(person))
        const told = await store.listAnsweredEvents(tx, await listToldEvents(scope, tx, person))
        return { keys: [...new Set([...ofResponses, ...told])] }
      },
      erase: (_scope, tx, keys) => store.eraseExcerpts(tx, keys),
      export: async (_scope, tx, keys, person) =>
        (await store.listExcerpts(tx, keys)).filter(isOf(person)).map(({ id, event, at, status_code, excerpt }) => ({
          id: formatId('delivery', id),
          event,
          at: at.toISOString(),
          status_code,
          answer: excerpt,
        })),
    },
  ],
} satisfies PersonalData
