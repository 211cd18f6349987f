import { sql, type TenantTx } from '../../../platform/database/database.ts'

/** False when the message had its effect already. A second caller at the same moment waits for the first. */
export async function insertProviderMessage(
  tx: TenantTx,
  message: { id: string; provider: string; messageId: string },
  now: Date,
): Promise<boolean> {
  const rows = await tx.many(sql`
    insert into provider_messages (tenant_id, id, provider, message_id, received_at)
    values (${tx.tenantId}, ${message.id}, ${message.provider}, ${message.messageId}, ${now})
    on conflict (tenant_id, provider, message_id) do nothing returning id`)
  return rows.length === 1
}
