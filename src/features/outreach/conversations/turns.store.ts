import { type ReadTx, sql, type Statement, type TenantTx } from '../../../platform/database/database.ts'

export interface NewTurn {
  id: string
  key: string
  conversationId: string | null
  strangerHash: string | null
  reply: string
  now: Date
}

/** Fails if the same message was stored meanwhile. */
export function insertTurn(tx: TenantTx, turn: NewTurn): Statement {
  return {
    name: 'insert-conversation-turn',
    text: `
      insert into conversation_turns (tenant_id, id, key, conversation_id, stranger_hash, reply, received_at)
      values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [tx.tenantId, turn.id, turn.key, turn.conversationId, turn.strangerHash, turn.reply, turn.now],
  }
}

export async function findTurn(tx: ReadTx, key: string): Promise<{ id: string; reply: string } | undefined> {
  const rows = await tx.prepared<{ id: string; reply: string }>({
    name: 'find-conversation-turn',
    text: 'select id, reply from conversation_turns where tenant_id = $1 and key = $2',
    values: [tx.tenantId, key],
  })
  return rows[0]
}

/** Whether a person without a conversation was told so since a time. */
export async function wasTold(tx: ReadTx, strangerHash: string, since: Date): Promise<boolean> {
  const row = await tx.maybe(sql`
    select 1 from conversation_turns
    where tenant_id = ${tx.tenantId} and stranger_hash = ${strangerHash} and received_at >= ${since} limit 1`)
  return row !== undefined
}
