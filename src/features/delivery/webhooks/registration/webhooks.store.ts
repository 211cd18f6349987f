import { type ReadTx, type TenantTx, sql } from '../../../../platform/database/database.ts'
import { newId, type Id } from '../../../../platform/ids.ts'
import type { PageRequest } from '../../../../platform/fields/sorting.ts'

export interface WebhookRow {
  id: Id<'webhook'>
  url: string
  description: string
  events: string[]
  survey_ids: Id<'survey'>[]
  include_text: boolean
  include_custom_data: boolean
  include_answers: boolean
  enabled: boolean
  disabled_reason: string | null
  secret_preview: string | null
  previous_secret_expires_at: Date | null
  tags: string[]
  /** Sealed; their names stand beside them. */
  headers: string | null
  header_names: string[]
  created_at: Date
  updated_at: Date
  last_delivered_at: Date | null
  last_failed_at: Date | null
}

const COLUMNS = sql`id, url, description, events, survey_ids, include_text, include_custom_data,
  include_answers, enabled, disabled_reason, secret_preview, previous_secret_expires_at,
  tags, headers, header_names, created_at, updated_at, last_delivered_at, last_failed_at`

export interface NewWebhook {
  id: Id<'webhook'>
  url: string
  description: string
  events: string[]
  surveyIds: Id<'survey'>[]
  includeText: boolean
  includeCustomData: boolean
  includeAnswers: boolean
  secret: string
  secretPreview: string
  tags: string[]
  headers: string | null
  headerNames: string[]
  now: Date
}

export function insertWebhook(tx: TenantTx, webhook: NewWebhook): Promise<WebhookRow> {
  noteChange(tx)
  return tx.one(sql<WebhookRow>`
    insert into webhooks (tenant_id, id, url, description, events, survey_ids,
      include_text, include_custom_data, include_answers,
      enabled, secret, secret_preview, tags, headers, header_names, created_at, updated_at)
    values (${tx.tenantId}, ${webhook.id}, ${webhook.url}, ${webhook.description},
      ${webhook.events}::text[], ${webhook.surveyIds}::uuid[],
      ${webhook.includeText}, ${webhook.includeCustomData}, ${webhook.includeAnswers},
      true, ${webhook.secret}, ${webhook.secretPreview}, ${webhook.tags}::text[], ${webhook.headers},
      ${webhook.headerNames}::text[], ${webhook.now}, ${webhook.now})
    returning ${COLUMNS}`)
}

export function listWebhooks(tx: ReadTx, page: PageRequest): Promise<WebhookRow[]> {
  return tx.many(sql<WebhookRow>`
    select ${COLUMNS} from webhooks
    where tenant_id = ${tx.tenantId} and ${page.before ? sql`id < ${page.before}` : sql`true`}
    order by id desc limit ${page.limit + 1}`)
}

export function listUrls(tx: ReadTx, ids: Id<'webhook'>[]): Promise<Array<Pick<WebhookRow, 'id' | 'url'>>> {
  return tx.many(sql<Pick<WebhookRow, 'id' | 'url'>>`
    select id, url from webhooks where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`)
}

export async function countWebhooks(tx: ReadTx): Promise<number> {
  const row = await tx.one(sql<{ n: number }>`select count(*) as n from webhooks where tenant_id = ${tx.tenantId}`)
  return row.n
}

/** The webhook, without a lock. */
export function findWebhook(tx: ReadTx, id: Id<'webhook'>): Promise<WebhookRow | undefined> {
  return tx.maybe(sql<WebhookRow>`select ${COLUMNS} from webhooks where tenant_id = ${tx.tenantId} and id = ${id}`)
}

/** The row under a lock that waits for staging's share lock, and keeps it waiting. */
export function lockWebhook(tx: TenantTx, id: Id<'webhook'>): Promise<WebhookRow | undefined> {
  return tx.maybe(
    sql<WebhookRow>`select ${COLUMNS} from webhooks where tenant_id = ${tx.tenantId} and id = ${id} for update`,
  )
}

export interface WebhookChange {
  url: string
  description: string
  events: string[]
  surveyIds: Id<'survey'>[]
  includeText: boolean
  includeCustomData: boolean
  includeAnswers: boolean
  enabled: boolean
  disabledReason: string | null
  tags: string[]
  headers: string | null
  headerNames: string[]
  now: Date
}

export function updateWebhook(tx: TenantTx, id: Id<'webhook'>, change: WebhookChange): Promise<WebhookRow | undefined> {
  noteChange(tx)
  return tx.maybe(sql<WebhookRow>`
    update webhooks set url = ${change.url}, description = ${change.description},
      events = ${change.events}::text[], survey_ids = ${change.surveyIds}::uuid[],
      include_text = ${change.includeText}, include_custom_data = ${change.includeCustomData},
      include_answers = ${change.includeAnswers},
      enabled = ${change.enabled}, disabled_reason = ${change.disabledReason},
      failing_since = case when ${change.enabled}::boolean and not enabled then null else failing_since end,
      tags = ${change.tags}::text[], headers = ${change.headers}, header_names = ${change.headerNames}::text[],
      updated_at = ${change.now}
    where tenant_id = ${tx.tenantId} and id = ${id}
    returning ${COLUMNS}`)
}

/** The secret until now counts beside the new one until `overlapUntil`. */
export function updateSecret(
  tx: TenantTx,
  id: Id<'webhook'>,
  secret: { sealed: string; preview: string; overlapUntil: Date | null; now: Date },
): Promise<WebhookRow | undefined> {
  noteChange(tx)
  return tx.maybe(sql<WebhookRow>`
    update webhooks
    set secret = ${secret.sealed}, secret_preview = ${secret.preview},
      previous_secret = case when ${secret.overlapUntil}::timestamptz is not null then secret end,
      previous_secret_expires_at = case when secret is not null then ${secret.overlapUntil}::timestamptz end,
      updated_at = ${secret.now}
    where tenant_id = ${tx.tenantId} and id = ${id}
    returning ${COLUMNS}`)
}

export function deleteWebhook(tx: TenantTx, id: Id<'webhook'>): Promise<number> {
  noteChange(tx)
  return tx.run(sql`delete from webhooks where tenant_id = ${tx.tenantId} and id = ${id}`)
}

/** Disables an enabled webhook. Returns 0 when somebody else already had. */
export function disableWebhook(tx: TenantTx, id: Id<'webhook'>, reason: string, now: Date): Promise<number> {
  noteChange(tx)
  return tx.run(sql`
    update webhooks set enabled = false, disabled_reason = ${reason}, updated_at = ${now}
    where tenant_id = ${tx.tenantId} and id = ${id} and enabled`)
}

const changed = new WeakSet<object>()

/** Whether this transaction has changed a webhook. */
export function hasChangedWebhooks(tx: ReadTx): boolean {
  return changed.has(tx)
}

/**
 * Staging reads webhooks again after a change of what it needs of them. The note is written with COMMIT, after all
 * locks of webhooks, so that nobody waits in a circle.
 */
export function noteChange(tx: TenantTx): void {
  if (changed.has(tx)) return
  changed.add(tx)
  tx.atCommit({
    name: 'note-webhook-change',
    text: `insert into webhook_revisions (tenant_id, revision) values ($1, $2)
     on conflict (tenant_id) do update set revision = excluded.revision`,
    values: [tx.tenantId, newId('event')],
  })
}

/** The disabled among some webhooks, locked: enabling one waits until the caller's rows are visible. */
export function lockDisabled(tx: TenantTx, ids: Id<'webhook'>[]): Promise<Array<{ id: Id<'webhook'> }>> {
  return tx.many(sql<{ id: Id<'webhook'> }>`
    select id from webhooks where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) and not enabled
    order by id for share`)
}

/** The enabled webhooks that lead to an address, locked. */
export function lockEnabledTo(tx: TenantTx, url: string): Promise<Array<{ id: Id<'webhook'> }>> {
  return tx.many(sql<{ id: Id<'webhook'> }>`
    select id from webhooks where tenant_id = ${tx.tenantId} and url = ${url} and enabled order by id for update`)
}

/** Keeps some webhooks from being changed or deleted. */
export function lockWebhooks(tx: TenantTx, ids: Id<'webhook'>[]): Promise<Array<{ id: Id<'webhook'> }>> {
  return tx.many(sql<{ id: Id<'webhook'> }>`
    select id from webhooks where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])
    order by id for no key update`)
}

export async function isOpenReceiver(tx: ReadTx, id: Id<'testReceiver'>, now: Date): Promise<boolean> {
  const row = await tx.maybe(sql<{ id: string }>`
    select id from test_receivers where tenant_id = ${tx.tenantId} and id = ${id} and expires_at > ${now}`)
  return row !== undefined
}
