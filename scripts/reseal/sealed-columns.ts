/** A table with sealed columns, and the context that binds a value of each to its row. */
export interface SealedTable {
  table: string
  /** The primary key behind the tenant. */
  key: string[]
  /** Columns of the key that are no ids. */
  numbers?: string[]
  columns: Record<string, (row: Record<string, string>) => string>
}

const byId =
  (prefix: string, suffix = '') =>
  (row: Record<string, string>) =>
    `${prefix}:${row['id']}${suffix}`

/** Every sealed column. Archives of access requests are not here: they go after seven days. */
export const SEALED: SealedTable[] = [
  { table: 'address_keys', key: [], columns: { sealed: (row) => `address_keys:${row['tenant_id']}` } },
  {
    table: 'webhooks',
    key: ['id'],
    columns: {
      secret: byId('webhooks.secret'),
      previous_secret: byId('webhooks.secret'),
      headers: byId('webhooks.headers'),
    },
  },
  { table: 'test_receiver_requests', key: ['id'], columns: { sealed: byId('test_receiver_requests') } },
  { table: 'notification_subscriptions', key: ['id'], columns: { target: byId('notification_subscriptions.target') } },
  { table: 'sessions', key: ['id'], columns: { sealed: byId('sessions') } },
  { table: 'outgoing_emails', key: ['id'], columns: { sealed: byId('outgoing_emails') } },
  { table: 'outgoing_email_contents', key: ['id'], columns: { sealed: byId('outgoing_email_contents') } },
  { table: 'people', key: ['id'], columns: { sealed: byId('people') } },
  { table: 'sends', key: ['id'], columns: { recipient: byId('sends') } },
  {
    table: 'conversations',
    key: ['id'],
    columns: { sealed: byId('conversations'), opening: byId('conversations', ':opening') },
  },
  {
    table: 'conversation_turns',
    key: ['id'],
    columns: { reply: byId('conversation_turns'), exchange: byId('conversation_turns', ':exchange') },
  },
  {
    table: 'invitation_skips',
    key: ['invitation_id', 'position'],
    numbers: ['position'],
    columns: { sealed: (row) => `invitation_skips:${row['invitation_id']}:${row['position']}` },
  },
  { table: 'batches', key: ['id'], columns: { words: byId('batches') } },
  {
    table: 'batch_rows',
    key: ['batch_id', 'row_id'],
    columns: { kept: (row) => `batch_rows:${row['batch_id']}:${row['row_id']}` },
  },
  { table: 'leads', key: ['id'], columns: { contact: byId('leads') } },
  {
    table: 'alerts',
    key: ['id'],
    columns: { excerpt: byId('alerts'), root_cause: byId('alerts'), resolution: byId('alerts') },
  },
  { table: 'alert_entries', key: ['alert_id', 'id'], columns: { text: (row) => `alerts:${row['alert_id']}` } },
  { table: 'report_runs', key: ['id'], columns: { document: byId('report_runs') } },
  { table: 'export_templates', key: ['id'], columns: { sealed: byId('export_templates') } },
  { table: 'export_runs', key: ['id'], columns: { sealed: byId('export_runs') } },
  { table: 'privacy_requests', key: ['id'], columns: { sealed: byId('privacy_requests') } },
  { table: 'privacy_found', key: ['request_id', 'id'], columns: { sealed: byId('privacy_found') } },
]
