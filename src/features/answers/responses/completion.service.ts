import type { TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import { type Scope, signalOf, type Handler } from '../../../platform/scope.ts'
import { NOBODY, readSubscribers, type Subscribers } from '../../delivery/publishing/publishing.service.ts'
import type { ResponseRow } from '../rows/response.entity.ts'

/** A response entered `completed`, or its release brought it back. */
export const COMPLETED = signalOf<ResponseRow>('response.completed')

/** Responses were deleted, or removed with their time. */
export const REMOVED = signalOf<Id<'response'>[]>('responses.removed')

/** The texts of a response are new, changed or back. */
export const TEXTS_WRITTEN = signalOf<{ id: Id<'response'>; isChange: boolean }>('texts.written')

/** Everybody who is notified of a completed response: webhooks, members and the features below. */
export interface Audience {
  subscribers: Subscribers
  listeners: Handler<ResponseRow>
}

/** For a response that is not completed. */
export const NO_AUDIENCE: Audience = { subscribers: NOBODY, listeners: { handle: async () => {} } }

/** Reads all together, because a respondent waits for each round trip. */
export async function readAudience(scope: Scope, tx: TenantTx): Promise<Audience> {
  const [subscribers, listeners] = await Promise.all([
    readSubscribers(scope, tx, 'response.completed'),
    scope.signals.listen(COMPLETED, scope, tx),
  ])
  return { subscribers, listeners }
}
