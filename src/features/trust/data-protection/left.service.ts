import type { ReadTx } from '../../../platform/database/database.ts'
import { formatId, type Id, type IdKind } from '../../../platform/ids.ts'
import type { Left, Mentions } from '../../../platform/personal.ts'
import { startSlices } from '../../../platform/loop/turns.ts'
import * as store from './found.store.ts'

// A definition may have a megabyte.
const PAGE = 20

/**
 * Names, filters and settings that members write. An erasure cannot take a word out of them: a filter without its
 * condition would choose everybody, and a letter may name the workspace's own address. So the certificate names them.
 */
export const WRITTEN_BY_MEMBERS = {
  surveys: { kind: 'survey', columns: ['name', 'definition'] },
  survey_versions: { kind: 'survey', id: 'survey_id', columns: ['definition'] },
  segments: { kind: 'segment', columns: ['name', 'description', 'filter'] },
  filter_views: { kind: 'filterView', columns: ['name', 'filter'] },
  alert_rules: { kind: 'alertRule', columns: ['name', 'trigger'] },
  dashboards: { kind: 'dashboard', columns: ['name', 'filter', 'widgets'] },
  reports: { kind: 'report', columns: ['name'] },
  badges: { kind: 'badge', columns: ['name', 'label'] },
  topics: { kind: 'topic', columns: ['name', 'keywords'] },
  export_templates: { kind: 'exportTemplate', columns: ['name', 'definition'] },
  export_runs: { kind: 'exportRun', columns: ['definition'] },
  invitations: { kind: 'invitation', columns: ['name', 'reminders'] },
  email_templates: { kind: 'template', columns: ['name'] },
  email_template_versions: { kind: 'template', id: 'template_id', columns: ['content'] },
  webhooks: { kind: 'webhook', columns: ['url', 'description', 'tags'] },
  notification_subscriptions: { kind: 'notificationSubscription', columns: ['filter'] },
  short_urls: { kind: 'shortUrl', columns: ['slug', 'target'] },
  inbound_numbers: { kind: 'inboundNumber', columns: ['label', 'keywords'] },
  assets: { kind: 'asset', columns: ['alt'] },
  roles: { kind: 'role', columns: ['name'] },
  api_keys: { kind: 'apiKey', columns: ['name'] },
  workspaces: { kind: 'workspace', id: 'tenant_id', columns: ['name', 'branding'] },
} as const satisfies Record<string, { kind: IdKind; id?: string; columns: string[] }>

/** The things that members have written and that still name the person, each once. */
export async function listWritten(tx: ReadTx, mentions: Mentions): Promise<Left[]> {
  const left = new Map<string, Left>()
  const slices = startSlices()
  for (const [place, { kind, columns, ...other }] of Object.entries(WRITTEN_BY_MEMBERS)) {
    const key = 'id' in other ? other.id : 'id'
    for (let offset = 0; ; offset += PAGE) {
      const rows = await store.listTexts(tx, place, key, columns, { offset, limit: PAGE })
      for (const { id, texts } of rows) {
        if (slices.isOver()) await slices.next()
        if (!(await mentions(leavesOf(texts)))) continue
        const name = formatId(kind, id as Id<typeof kind>)
        left.set(`${place} ${name}`, { place, id: name, reason: 'written_by_members' })
      }
      if (rows.length < PAGE) break
    }
  }
  return [...left.values()]
}

function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => [name, ...leavesOf(item)])
}
