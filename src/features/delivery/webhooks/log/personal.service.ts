import { formatId } from '../../../../platform/ids.ts'
import {
  type ExternalCopy,
  isOf,
  keysOfResponses,
  responsesOf,
  type PersonalData,
  type Person,
  type Scan,
  withoutEscapes,
} from '../../../../platform/personal.ts'
import * as store from './personal.store.ts'
import type { ReadTx, TenantTx } from '../../../../platform/database/database.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { mentions, scanMentions } from '../../../trust/data-protection/contacts.service.ts'

/** Answers of receivers: they may repeat what they were sent. */
export const personal = {
  stores: [
    {
      store: 'deliveries',
      table: 'webhook_attempts',
      columns: ['response_excerpt'],
      async find(scope, tx, person, { scan }) {
        const ofResponses = await keysOfResponses({ scan }, 'answered', person, (ids) => store.listAnswered(tx, ids))
        const told = await store.listAnsweredEvents(tx, await listMentioningEvents(scope, tx, person, scan))
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

const PAGE = 20

/** Events that mention a person whom their response does not mention any more: its data, or an answer of a receiver. */
export async function listMentioningEvents(scope: Scope, tx: ReadTx, person: Person, scan: Scan): Promise<string[]> {
  const known = new Set<string>(responsesOf(person))
  const told: string[] = []
  for await (const part of scanMentions(scope, tx, person, { scan, of: 'told events', size: PAGE })) {
    const others = part.filter((id) => !known.has(id))
    if (others.length === 0) continue
    for (const { event_id, data, excerpts } of await store.listPayloads(tx, others))
      if (await mentions(person, [data, ...excerpts].map(withoutEscapes))) told.push(event_id)
  }
  return told
}

/** The receivers of these events. A URL is named without its query, which may hold a secret. */
export async function listReceivers(tx: ReadTx, eventIds: string[]): Promise<ExternalCopy[]> {
  return (await store.listReceivers(tx, eventIds)).map(({ webhook_id, url, at }) => {
    const place = url === null ? null : new URL(url)
    const id = formatId('webhook', webhook_id)
    return { kind: 'webhook', target: place ? `${id} ${place.origin}${place.pathname}` : id, at: at.toISOString() }
  })
}

/** Removes what receivers answered to these events. */
export async function eraseAnswers(tx: TenantTx, eventIds: string[]): Promise<void> {
  await store.eraseExcerpts(tx, await store.listAnsweredEvents(tx, eventIds))
}
