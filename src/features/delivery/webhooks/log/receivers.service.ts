import type { ReadTx, TenantTx } from '../../../../platform/database/database.ts'
import { formatId } from '../../../../platform/ids.ts'
import * as store from './personal.store.ts'

/** Who was sent these events. A URL is named without its query, which may hold a secret. */
export async function listReceivers(tx: ReadTx, eventIds: string[]): Promise<Array<{ target: string; at: Date }>> {
  return (await store.listReceivers(tx, eventIds)).map(({ webhook_id, url, at }) => {
    const place = url === null ? null : new URL(url)
    const id = formatId('webhook', webhook_id)
    return { target: place ? `${id} ${place.origin}${place.pathname}` : id, at }
  })
}

/** Removes what receivers answered to these events. */
export async function eraseAnswers(tx: TenantTx, eventIds: string[]): Promise<void> {
  await store.eraseExcerpts(tx, await store.listAnsweredEvents(tx, eventIds))
}
