import type pg from 'pg'
import { parseId } from '../../platform/ids.ts'

/**
 * The approximate row counts of the fastest growing tables, for the tenant and for each neighbour. Others have a
 * twentieth.
 */
export interface Sizes {
  rows: number
  tenants: number
  rowsOfEach: number
}

const GROW_FASTEST = ['events', 'responses', 'webhook_deliveries', 'webhook_queue']
// People make these, so a tenant has at most a thousand, and few other rows belong to each.
const MADE_BY_PEOPLE = {
  api_keys: {},
  email_template_versions: {},
  email_templates: {},
  inbound_numbers: {},
  invitations: {},
  member_invitations: {},
  memberships: {},
  // The copies subscribe to no event of the flows, which would only make reads longer.
  notification_subscriptions: { event: `'survey.closed'` },
  quota_counts: {},
  report_surveys: {},
  roles: {},
  short_urls: {},
  survey_versions: {},
  surveys: {},
  webhooks: { events: `array['survey.closed']` },
} satisfies Record<string, Record<string, string>>
const MADE_BY_PEOPLE_AT_MOST = 1_000
// The most webhooks of a workspace.
const WEBHOOKS_AT_MOST = 50

// Texts that rows are found by.
const KEYS =
  /^(address_hash|call_id|dedupe_key|email|key|key_hash|message_id|name|provider_id|slug|source|stranger_hash|token_hash|word_hash)$/
const DUE = /^(next_at|next_attempt_at|next_action_at)$/

interface Table {
  name: string
  columns: Array<{ name: string; type: string }>
  /** True if each tenant has exactly one row. */
  single: boolean
}

/**
 * Copies all rows of a tenant to itself and to its neighbours. Copies that belong together have matching ids. Each is
 * one second older than the one before, and due in a month.
 */
export async function multiplyRows(owner: pg.Client, workspaceId: string, sizes: Sizes): Promise<void> {
  const tenantId = parseId('workspace', workspaceId)
  const { rows: tables } = await owner.query<Table>(TABLES)
  const gone = Object.keys(MADE_BY_PEOPLE).filter((name) => !tables.some((table) => table.name === name))
  if (gone.length > 0) throw new Error(`there is no table ${gone.join(', ')}`)
  const shared = await owner.query<{ ids: string[] }>(
    `select array_agg(id) as ids from (
       values ('00000000-0000-0000-0000-000000000000'::uuid) union all select user_id from memberships where tenant_id = $1
       ${tables.flatMap(({ name, columns }) => (name in MADE_BY_PEOPLE && columns.some((column) => column.name === 'id') ? [`union all select id from ${name} where tenant_id = $1`] : [])).join(' ')}) as of_people (id)`,
    [tenantId],
  )
  await owner.query(`begin; set local session_replication_role = replica; ${COPY_OF}`)
  for (const table of tables) {
    const { rows } = await owner.query<{ n: number }>(
      `select count(*)::int as n from ${table.name} where tenant_id = $1`,
      [tenantId],
    )
    const held = rows[0]?.n ?? 0
    if (held > 0)
      await owner.query(copyText(table, copiesOf(table, held, sizes)), [
        tenantId,
        ...(usesShared(table) ? [shared.rows[0]?.ids] : []),
      ])
  }
  await owner.query('commit')
}

/** Gathers statistics that know nothing of a tenant. */
export async function analyzeWithout(owner: pg.Client, workspaceId: string): Promise<void> {
  const tenantId = parseId('workspace', workspaceId)
  const { rows: tables } = await owner.query<Table>(TABLES)
  const away = '00000000-0000-7000-8000-000000000001'
  const move = async (from: string | null, to: string | null) => {
    await owner.query(`begin; set local session_replication_role = replica`)
    for (const { name } of tables)
      await owner.query(`update ${name} set tenant_id = $2 where tenant_id = $1`, [from, to])
    await owner.query('commit')
  }
  await move(tenantId, away)
  await owner.query('analyze')
  await move(away, tenantId)
}

/** The copies of each row for the tenant and for each neighbour. */
function copiesOf(
  { name, single }: Table,
  held: number,
  { rows, tenants, rowsOfEach }: Sizes,
): { own: number; tenants: number; each: number } {
  if (single) return { own: 0, tenants, each: 1 }
  const most = name === 'webhooks' ? WEBHOOKS_AT_MOST - held : MADE_BY_PEOPLE_AT_MOST
  if (name in MADE_BY_PEOPLE) return { own: Math.ceil(Math.min(rows, most) / held), tenants, each: 1 }
  const share = GROW_FASTEST.includes(name) ? 1 : 0.05
  return { own: Math.ceil((rows * share) / held), tenants, each: Math.ceil((rowsOfEach * share) / held) }
}

function copyText(table: Table, { own, tenants, each }: ReturnType<typeof copiesOf>): string {
  return `insert into ${table.name} (${table.columns.map(({ name }) => name).join(', ')})
    select ${table.columns.map((column) => valueOf(table, column)).join(', ')}
    from ${table.name} s cross join (
      select 0 as t, i from generate_series(1, ${own}) as i
      union all select t, i from generate_series(1, ${tenants}) as t cross join generate_series(0, ${each - 1}) as i) as copy
    where s.tenant_id = $1
    on conflict do nothing`
}

function valueOf(table: Table, { name, type }: Table['columns'][number]): string {
  const fixed = (MADE_BY_PEOPLE as Record<string, Record<string, string>>)[table.name]?.[name]
  if (fixed) return fixed
  if (name === 'tenant_id') return 'pg_temp.copy_of(s.tenant_id, t, 0)'
  if (type === 'uuid')
    return `pg_temp.copy_of(s.${name}, t, ${usesShared(table) ? `case when s.${name} = any($2) then 0 else i end` : 'i'})`
  if (KEYS.test(name) && type === 'text') return `s.${name} || ':' || t || ':' || i`
  if (type === 'timestamp with time zone')
    return DUE.test(name) ? `s.${name} + interval '30 days'` : `s.${name} - i * interval '1 second'`
  return `s.${name}`
}

function usesShared({ name, columns }: Table): boolean {
  return !(name in MADE_BY_PEOPLE) && columns.some((column) => column.type === 'uuid' && column.name !== 'tenant_id')
}

const TABLES = `
  select c.relname as name, json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null)) order by a.attnum) as columns,
    bool_or(k.conkey = array[t.attnum]) as single
  from pg_class c
  join pg_attribute t on t.attrelid = c.oid and t.attname = 'tenant_id'
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  join pg_constraint k on k.conrelid = c.oid and k.contype = 'p'
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
  group by c.relname order by c.relname`

const COPY_OF = `
  create or replace function pg_temp.copy_of(id uuid, t int, i int) returns uuid immutable language sql as $$
    select case when t = 0 and i = 0 then id else (
      lpad(to_hex(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint - i * 1000), 12, '0') || '7' || substr(replace(id::text, '-', ''), 14, 3)
      || '8' || left(md5(id::text || ':' || t || ':' || i), 15))::uuid end
  $$`
