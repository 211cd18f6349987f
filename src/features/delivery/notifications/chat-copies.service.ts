import type { ReadTx } from '../../../platform/database/database.ts'
import type { ExternalCopy } from '../../../platform/personal.ts'
import { listChatCopies } from './notifications.store.ts'

/** Chats that have a message about these events, for the certificate of an erasure. */
export async function listChatReceivers(tx: ReadTx, eventIds: string[]): Promise<ExternalCopy[]> {
  return (await listChatCopies(tx, eventIds)).map(({ channel, host, at }) => ({
    kind: channel,
    target: host ?? channel,
    at: at.toISOString(),
  }))
}
