import type { ReadTx } from '../../../../platform/database/database.ts'
import type { Id } from '../../../../platform/ids.ts'

/** A webhook as staging and a fresh row's attempt need it. */
export interface SubscriberRow {
  id: Id<'webhook'>
  events: string[]
  survey_ids: Id<'survey'>[]
  enabled: boolean
  url: string
  secret: string | null
  previous_secret: string | null
  previous_secret_expires_at: Date | null
  /** Sealed. */
  headers: string | null
  include_text: boolean
  include_custom_data: boolean
  include_answers: boolean
}

/** All webhooks of a workspace at one revision. Each change of one makes another revision. */
export interface Subscribers {
  revision: string
  subscribers: SubscriberRow[]
}

/** The revision of a workspace that never had a webhook. */
export const NO_SUBSCRIBERS: Subscribers = { revision: '00000000-0000-0000-0000-000000000000', subscribers: [] }

const LIST_SUBSCRIBERS = `
  select r.revision, w.* from webhook_revisions r left join lateral (
    select id, events, survey_ids, enabled, url, secret, previous_secret,
      previous_secret_expires_at, headers, include_text, include_custom_data, include_answers
    from webhooks where tenant_id = $1 and r.revision <> $2 offset 0) w on true
  where r.tenant_id = $1`

type Row = { revision: string; id: string | null } & Omit<SubscriberRow, 'id'>

/** Every webhook of the workspace, with their revision; `known` itself when nothing has changed. */
export async function listSubscribers(tx: ReadTx, known: Subscribers | undefined): Promise<Subscribers> {
  const values = [tx.tenantId, known?.revision ?? NO_SUBSCRIBERS.revision]
  const rows = await tx.prepared<Row>({ name: 'list-subscribers', text: LIST_SUBSCRIBERS, values })
  const revision = rows[0]?.revision ?? NO_SUBSCRIBERS.revision
  if (known && revision === known.revision) return known
  return { revision, subscribers: rows.filter((row): row is Row & SubscriberRow => row.id !== null) }
}
