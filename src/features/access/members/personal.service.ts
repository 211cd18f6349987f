import { unregister } from '../../../platform/database/directory.ts'
import type { PersonalData } from '../../../platform/personal.ts'
import * as store from './invitations.store.ts'

/** Invitations to colleagues. A member's account belongs to no workspace. */
export const personal: PersonalData = {
  stores: [
    {
      store: 'invitations',
      table: 'member_invitations',
      columns: ['email'],
      find: async (_scope, tx, { addresses }) => ({
        keys: await store.listByEmails(
          tx,
          addresses.flatMap(({ kind, address }) => (kind === 'email' && address !== null ? [address] : [])),
        ),
      }),
      async erase(_scope, tx, keys) {
        const hashes = await store.deleteInvitations(tx, keys)
        await unregister(tx, 'member_invitation', hashes)
        return hashes.length
      },
      export: async (_scope, tx, keys) =>
        (await store.listInvitations(tx, keys)).map(({ email, created_at, expires_at }) => ({
          email,
          created_at: created_at.toISOString(),
          expires_at: expires_at.toISOString(),
        })),
    },
  ],
}
