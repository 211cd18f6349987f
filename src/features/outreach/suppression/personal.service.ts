import type { Channel } from '../../../platform/ports/provider.ts'
import { newId } from '../../../platform/ids.ts'
import type { PersonalData } from '../../../platform/personal.ts'
import { mentions } from '../../trust/data-protection/contacts.service.ts'
import { lockWorkspace } from '../../access/workspaces/workspaces.service.ts'
import { strengthOf } from './suppression.schema.ts'
import * as store from './suppression.store.ts'

const CHANNELS: Record<'email' | 'phone', Channel[]> = { email: ['email'], phone: ['sms', 'voice'] }
const ERASED = 'erased'

/** The keyed hash of an erased address stays and refuses it. Nothing readable stays with it. */
export const personal: PersonalData = {
  more: { suppressions: ['masked', 'address_hash'], suppression_lifts: ['masked', 'address_hash', 'evidence'] },
  async block(scope, tx, person) {
    const { addresses } = person
    // Invitations take the same lock, so each is either searched afterwards or sees the block.
    await lockWorkspace(tx)
    const hashes = addresses.map(({ hash }) => hash)
    await store.eraseMasks(tx, hashes, ERASED)
    for (const { id, evidence } of await store.listEvidence(tx))
      if (evidence !== null && (await mentions(person, [evidence]))) await store.eraseEvidence(tx, id)
    const rows = addresses.flatMap(({ kind, hash }) =>
      CHANNELS[kind].map((channel) => ({
        id: newId('suppression'),
        channel,
        hash,
        masked: ERASED,
        reason: 'erasure' as const,
        strength: strengthOf('erasure'),
      })),
    )
    rows.sort((a, b) => (`${a.hash} ${a.channel}` < `${b.hash} ${b.channel}` ? -1 : 1))
    if (rows.length > 0) await store.insertSuppressions(tx, rows, 'erasure', scope.clock.now())
  },
}
