import { sql, type ReadTx, type TenantTx } from '../../../platform/database/database.ts'
import type { Credential } from '../../../platform/ports/ports.ts'

/** The directory's kind of a ticket. */
export const TICKET = 'download_ticket'

export interface TicketRow {
  path: string
  credential_kind: Credential['kind']
  credential_hash: string
}

const COLUMNS = sql.raw('path, credential_kind, credential_hash')

export function insertTicket(
  tx: TenantTx,
  ticket: TicketRow & { tokenHash: string; expiresAt: Date },
): Promise<number> {
  return tx.run(sql`
    insert into download_tickets (tenant_id, token_hash, path, credential_kind, credential_hash, expires_at)
    values (${tx.tenantId}, ${ticket.tokenHash}, ${ticket.path}, ${ticket.credential_kind}, ${ticket.credential_hash},
      ${ticket.expiresAt})`)
}

export function findTicket(tx: ReadTx, tokenHash: string, now: Date): Promise<TicketRow | undefined> {
  return tx.maybe(sql<TicketRow>`
    select ${COLUMNS} from download_tickets
    where tenant_id = ${tx.tenantId} and token_hash = ${tokenHash} and expires_at > ${now}`)
}

/** Takes a ticket, so that nobody else can. */
export function takeTicket(tx: TenantTx, tokenHash: string, now: Date): Promise<TicketRow | undefined> {
  return tx.maybe(sql<TicketRow>`
    delete from download_tickets
    where tenant_id = ${tx.tenantId} and token_hash = ${tokenHash} and expires_at > ${now}
    returning ${COLUMNS}`)
}

export async function deleteExpired(tx: TenantTx, now: Date): Promise<string[]> {
  const rows = await tx.many(sql<{ token_hash: string }>`
    delete from download_tickets
    where tenant_id = ${tx.tenantId} and expires_at >= '-infinity' and expires_at <= ${now}
    returning token_hash`)
  return rows.map((row) => row.token_hash)
}
