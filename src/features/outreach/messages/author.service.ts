import type { Channel } from '../../../platform/ports/provider.ts'
import type { SystemScope } from '../../../platform/scope.ts'
import type { SweepOptions } from '../../../platform/work/sweeps.ts'
import type { Author } from '../../delivery/sends/dispatch/author.service.ts'
import { dispatchDue } from '../../delivery/sends/dispatch/dispatch.service.ts'
import { recoverInterrupted } from '../../delivery/sends/dispatch/recovery.service.ts'
import { closeConversationsOfSends } from '../conversations/outbound.service.ts'
import { planReminders } from '../invitations/invitations.service.ts'
import { suppress } from '../suppression/suppression.service.ts'
import { compose, composeAgain, decideAgain } from './compose.service.ts'

export { hasDueSends as hasDueMessages } from '../../delivery/sends/dispatch/dispatch.service.ts'

/** Outreach writes the messages; the dispatcher of sends carries them. */
const author: Author = {
  compose,
  decideAgain,
  composeAgain,
  accepted: planReminders,
  ended: closeConversationsOfSends,
  optedOut: (scope, tx, { addressHash: hash, masked }) =>
    suppress(scope, tx, { channel: 'sms', hash, masked, reason: 'stop_keyword', source: 'provider' }),
}

export function dispatchMessages(system: SystemScope, channel: Channel, options: SweepOptions): Promise<number> {
  return dispatchDue(system, author, channel, options)
}

export function recoverMessages(system: SystemScope, options: SweepOptions): Promise<number> {
  return recoverInterrupted(system, author, options)
}
