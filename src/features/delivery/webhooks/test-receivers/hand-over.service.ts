import { newIdAt } from '../../../../platform/ids.ts'
import { sealReceived, withoutMoment, type HandOver } from './received.ts'
import * as store from './receivers.store.ts'

const KEPT = 20

/** Hands a delivery to a test receiver of the workspace, in place of a call. An ended receiver answers 404. */
export const handOver: HandOver = async (scope, id, request) => {
  const now = scope.clock.now()
  const status = await scope.tx(async (tx) => {
    const counted = await store.countRequest(tx, id, now)
    if (!counted) return 404
    const { delivery, verified } = request
    const row = (await store.mayKeep(tx, delivery)) ? await store.findDelivery(tx, delivery.id) : undefined
    if (!row) return counted.answer
    const at = row.by_day ? row.created_at : now
    // An id begins with its moment, and a cursor shows it.
    const requestId = newIdAt('testReceiver', at)
    const { body, headers } = request
    const received = { headers: row.by_day ? withoutMoment(headers) : headers, body }
    await store.insertRequest(tx, id, {
      id: requestId,
      n: counted.n,
      at,
      sealed: sealReceived(scope.secrets, requestId, received),
      delivery_id: delivery.id,
      attempt: row.attempts_logged + 1,
      answered: counted.answer,
      verified_voc: verified?.voc ?? null,
      verified_standard: verified?.standard ?? null,
    })
    await store.deleteOlder(tx, id, counted.n - KEPT)
    return counted.answer
  })
  return { status, retryAfter: null, headers: {}, excerpt: '', address: null }
}
