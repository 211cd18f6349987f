import { formatId, type Id, type IdKind } from '../../../platform/ids.ts'
import type { ResidualMention, Mentions } from '../../../platform/personal.ts'
import { startSlices, type Slices } from '../../../platform/loop/turns.ts'
import type { Scope } from '../../../platform/scope.ts'
import * as store from './search-results.store.ts'

// A definition may have a megabyte.
const LARGE_ROWS = 2
const ROWS = 200

/**
 * Names, filters and settings that members write. An erasure cannot take a word out of them: a filter without its
 * condition would choose everybody, and a letter may name the workspace's own address. So the certificate names them.
 */
export const WRITTEN_BY_MEMBERS = {
  surveys: { isLarge: true, kind: 'survey', columns: ['name', 'definition'] },
  survey_versions: { isLarge: true, kind: 'survey', id: 'survey_id', version: 'version', columns: ['definition'] },
  segments: { isLarge: true, kind: 'segment', columns: ['name', 'description', 'filter'] },
  filter_views: { isLarge: true, kind: 'filterView', columns: ['name', 'filter'] },
  alert_rules: { kind: 'alertRule', columns: ['name', 'trigger'] },
  dashboards: { isLarge: true, kind: 'dashboard', columns: ['name', 'filter', 'widgets'] },
  reports: { kind: 'report', columns: ['name'] },
  badges: { kind: 'badge', columns: ['name', 'label'] },
  topics: { kind: 'topic', columns: ['name', 'keywords'] },
  export_templates: { isLarge: true, kind: 'exportTemplate', columns: ['name', 'definition'] },
  export_runs: { isLarge: true, kind: 'exportRun', columns: ['definition'] },
  invitations: { kind: 'invitation', columns: ['name', 'reminders'] },
  email_templates: { kind: 'template', columns: ['name'] },
  email_template_versions: {
    isLarge: true,
    kind: 'template',
    id: 'template_id',
    version: 'version',
    columns: ['content'],
  },
  webhooks: { kind: 'webhook', columns: ['url', 'description', 'tags'] },
  notification_subscriptions: { kind: 'notificationSubscription', columns: ['filter'] },
  short_urls: { kind: 'shortUrl', columns: ['slug', 'target'] },
  inbound_numbers: { kind: 'inboundNumber', columns: ['label', 'keywords'] },
  assets: { kind: 'asset', columns: ['alt'] },
  roles: { kind: 'role', columns: ['name'] },
  api_keys: { kind: 'apiKey', columns: ['name'] },
  workspaces: { kind: 'workspace', id: 'tenant_id', columns: ['name', 'branding'] },
} as const satisfies Record<string, { kind: IdKind; id?: string; version?: string; columns: string[]; isLarge?: true }>

/** The things that members have written and that still name the person, each once. */
export async function listWritten(
  scope: Scope,
  mentions: Mentions,
  pass: () => Promise<unknown>,
): Promise<ResidualMention[]> {
  const left = new Map<string, ResidualMention>()
  const slices = startSlices()
  for (const [place, { kind, columns, ...other }] of Object.entries(WRITTEN_BY_MEMBERS)) {
    const keys = ['id' in other ? other.id : 'id', ...('version' in other ? [other.version] : [])]
    const limit = 'isLarge' in other ? LARGE_ROWS : ROWS
    for (let after: store.WrittenRow | null = null; ;) {
      await pass()
      const from: store.WrittenRow | null = after
      const rows: store.WrittenRow[] = await scope.read((tx) =>
        store.listTexts(tx, place, { keys, columns, after: from, limit }),
      )
      for (const { id, texts } of rows) {
        if (slices.isOver()) await slices.next()
        if (!(await mentions(await leavesOf(JSON.parse(texts), slices)))) continue
        const name = formatId(kind, id as Id<typeof kind>)
        left.set(`${place} ${name}`, { place, id: name, reason: 'written_by_members' })
      }
      after = rows.at(-1) ?? null
      if (rows.length < limit) break
    }
  }
  return [...left.values()]
}

/** Every name and text in a JSON value, in no order. */
async function leavesOf(value: unknown, slices: Slices): Promise<string[]> {
  const texts: string[] = []
  const open = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === 'string') texts.push(next)
    if (typeof next !== 'object' || next === null) continue
    for (const [name, item] of Object.entries(next)) {
      texts.push(name)
      open.push(item)
    }
    if (slices.isOver()) await slices.next()
  }
  return texts
}
