import type { z } from 'zod'
import { notFound } from '../../../http/problems/problem.ts'
import { foreignCursor, listOf, requireSameList, type Page } from '../../../http/routes/pagination.ts'
import type { Channel } from '../../../platform/ports/provider.ts'
import type { TenantTx } from '../../../platform/database/database.ts'
import { formatId, type Id } from '../../../platform/ids.ts'
import { startSlices } from '../../../platform/loop/turns.ts'
import type { Scope } from '../../../platform/scope.ts'
import { maskAddress } from '../../trust/addresses/address.ts'
import { findRecipients } from '../people/recipients.service.ts'
import type { Skipped, SkipReason } from './candidates.service.ts'
import type { SkippedRecipient, SkippedQuery } from './invitations.schema.ts'
import { findInvitation } from './invitations.store.ts'
import * as store from './skips.store.ts'
import { hashesOf, type PersonalData } from '../../../platform/personal.ts'

export { listPersonSkips } from './skips.store.ts'

const BATCH = 1_000

/** Keeps who was left out of an invitation, and why. */
export async function storeSkips(
  scope: Scope,
  tx: TenantTx,
  invitation: { id: Id<'invitation'>; channel: Channel },
  skipped: Skipped,
): Promise<void> {
  const slices = startSlices()
  for (let at = 0; at < skipped.length; at += BATCH) {
    const part = skipped.slice(at, at + BATCH).map(nameless)
    const known = await findRecipients(
      tx,
      invitation.channel,
      part.flatMap(({ contact }) => contact?.hash ?? []),
    )
    const rows: store.NewSkip[] = []
    for (const { index, reason, contact, personId } of part) {
      if (slices.isOver()) await slices.next()
      rows.push({
        position: index,
        person_id: personId ?? (contact && known.get(contact.hash)) ?? null,
        address_hash: contact?.hash ?? '',
        sealed: contact
          ? scope.secrets.seal(maskAddress(invitation.channel, contact.address), contextOf(invitation.id, index))
          : null,
        reason,
      })
    }
    await store.insertSkips(tx, invitation.id, rows, scope.clock.now())
  }
}

/** An erased recipient is counted and not named. */
function nameless({ index, reason, contact, personId }: Skipped[number]): Skipped[number] {
  return reason === 'erased' ? { index, reason } : { index, reason, contact, personId }
}

/** The recipients whom an invitation left out, in the order of its request or segment. @throws Problem 404. */
export async function listSkipped(
  scope: Scope,
  id: Id<'invitation'>,
  { reason, limit, cursor }: z.output<typeof SkippedQuery>,
): Promise<Page<z.input<typeof SkippedRecipient>>> {
  const after = cursor === undefined ? -1 : readCursor(cursor, reason)
  const rows = await scope.read(async (tx) => {
    if (!(await findInvitation(tx, id))) throw notFound('invitation')
    return store.listSkips(tx, id, { reason, after, limit })
  })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    data: shown.map((row) => ({
      index: row.position,
      recipient: maskedOf(scope, row),
      person_id: row.person_id && formatId('person', row.person_id),
      reason: row.reason,
      at: row.skipped_at.toISOString(),
    })),
    next_cursor: rows.length > limit && last ? writeCursor(last.position, reason) : null,
  }
}

/** The masked address of a skipped recipient. */
function maskedOf(scope: Scope, { invitation_id, position, sealed }: store.SkipRow): string | null {
  return sealed === null ? null : scope.secrets.open(sealed, contextOf(invitation_id, position))
}

function contextOf(id: Id<'invitation'>, position: number): string {
  return `invitation_skips:${id}:${position}`
}

function writeCursor(position: number, reason: SkipReason | undefined): string {
  return Buffer.from(`${position} ${listOf({ reason })}`).toString('base64url')
}

function readCursor(cursor: string, reason: SkipReason | undefined): number {
  const [, position, of] = /^(\d{1,6}) ([\w-]{11})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (position === undefined) throw foreignCursor()
  requireSameList(of, { reason })
  return Number(position)
}

/** Recipients who were left out. The others are in the sends. */
export const personal: PersonalData = {
  stores: [
    {
      store: 'invitations',
      table: 'invitation_skips',
      columns: ['sealed', 'address_hash', 'person_id'],
      find: async (_scope, tx, person) => ({
        keys: await store.listKeysOfPerson(tx, { hashes: hashesOf(person), personIds: person.personIds }),
      }),
      erase: (_scope, tx, keys) => store.eraseSkips(tx, keys),
      export: async (scope, tx, keys) =>
        (await store.listByKeys(tx, keys)).map((row) => ({
          invitation_id: formatId('invitation', row.invitation_id),
          address: maskedOf(scope, row),
          reason: row.reason,
          at: row.skipped_at.toISOString(),
        })),
    },
  ],
}
