import { type ReadTx, sql, type SystemTx, type TenantTx } from '../../../platform/database/database.ts'
import { findTenant } from '../../../platform/database/directory.ts'
import type { Id, TenantId } from '../../../platform/ids.ts'
import type { PageRequest } from '../../../platform/fields/sorting.ts'

export const DIRECTORY_KIND = 'short_url'

export interface ShortUrlRow {
  id: Id<'shortUrl'>
  slug: string
  target: string | null
  survey_id: Id<'survey'> | null
  expires_at: Date | null
  max_clicks: number | null
  forward_query: boolean
  clicks: number
  created_at: Date
  updated_at: Date
}

const NAMES = 'id, slug, target, survey_id, expires_at, max_clicks, forward_query, clicks, created_at, updated_at'
const COLUMNS = sql.raw(NAMES)

export type ShortUrlContent = Pick<
  ShortUrlRow,
  'slug' | 'target' | 'survey_id' | 'expires_at' | 'max_clicks' | 'forward_query'
>

export function findTenantOfSlug(tx: SystemTx, slug: string): Promise<TenantId | null> {
  return findTenant(tx, DIRECTORY_KIND, slug)
}

export function insertShortUrl(
  tx: TenantTx,
  id: Id<'shortUrl'>,
  { slug, target, survey_id, expires_at, max_clicks, forward_query }: ShortUrlContent,
  now: Date,
): Promise<ShortUrlRow> {
  return tx.one(sql<ShortUrlRow>`
    insert into short_urls (tenant_id, ${COLUMNS})
    values (${tx.tenantId}, ${id}, ${slug}, ${target}, ${survey_id}, ${expires_at}, ${max_clicks}, ${forward_query}, 0, ${now}, ${now})
    returning ${COLUMNS}`)
}

export function findShortUrl(tx: ReadTx, id: Id<'shortUrl'>): Promise<ShortUrlRow | undefined> {
  return tx.maybe(sql<ShortUrlRow>`select ${COLUMNS} from short_urls where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function lockShortUrl(tx: TenantTx, id: Id<'shortUrl'>): Promise<ShortUrlRow | undefined> {
  return tx.maybe(
    sql<ShortUrlRow>`select ${COLUMNS} from short_urls where tenant_id = ${tx.tenantId} and id = ${id} for update`,
  )
}

export async function findBySlug(tx: ReadTx, slug: string): Promise<ShortUrlRow | undefined> {
  const [row] = await tx.prepared<ShortUrlRow>({
    name: 'short_url_by_slug',
    text: `select ${NAMES} from short_urls where tenant_id = $1 and slug = $2 and slug >= ''`,
    values: [tx.tenantId, slug],
  })
  return row
}

export function listShortUrls(tx: ReadTx, page: PageRequest): Promise<ShortUrlRow[]> {
  return tx.many(sql<ShortUrlRow>`
    select ${COLUMNS} from short_urls
    where tenant_id = ${tx.tenantId} and ${page.before ? sql`id < ${page.before}` : sql`true`}
    order by id desc limit ${page.limit + 1}`)
}

export function updateShortUrl(
  tx: TenantTx,
  id: Id<'shortUrl'>,
  { slug, target, survey_id, expires_at, max_clicks, forward_query }: ShortUrlContent,
  now: Date,
): Promise<ShortUrlRow> {
  return tx.one(sql<ShortUrlRow>`
    update short_urls set slug = ${slug}, target = ${target}, survey_id = ${survey_id}, expires_at = ${expires_at}, max_clicks = ${max_clicks}, forward_query = ${forward_query}, updated_at = ${now}
    where tenant_id = ${tx.tenantId} and id = ${id}
    returning ${COLUMNS}`)
}

export function deleteShortUrl(tx: TenantTx, id: Id<'shortUrl'>): Promise<number> {
  return tx.run(sql`delete from short_urls where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function deleteClicks(tx: TenantTx, shortUrlId: Id<'shortUrl'>): Promise<number> {
  return tx.run(sql`delete from short_url_clicks where tenant_id = ${tx.tenantId} and short_url_id = ${shortUrlId}`)
}

interface Tick {
  shortUrlId: Id<'shortUrl'>
  /** The start of the quarter of an hour. */
  at: Date
  /** The id of the row, if this is its first click. */
  id: string
}

const COUNT_HUMAN = `
  with counted as (
    update short_urls set clicks = clicks + 1 where tenant_id = $1 and id = $2 and (max_clicks is null or clicks < max_clicks) returning id)
  insert into short_url_clicks as known (tenant_id, short_url_id, at, id, human, bot)
  select $1::uuid, id, $3::timestamptz, $4::uuid, 1, 0 from counted
  on conflict (tenant_id, short_url_id, at) do update set human = known.human + 1
  returning short_url_id`

/** Counts a person's click, unless the limit is reached. The row lock makes the count exact. */
export async function countHuman(tx: TenantTx, { shortUrlId, at, id }: Tick): Promise<boolean> {
  return (
    (await tx.prepared({ name: 'count_short_url_click', text: COUNT_HUMAN, values: [tx.tenantId, shortUrlId, at, id] }))
      .length === 1
  )
}

export function countBot(tx: TenantTx, { shortUrlId, at, id }: Tick): Promise<number> {
  return tx.run(sql`
    insert into short_url_clicks as known (tenant_id, short_url_id, at, id, human, bot)
    values (${tx.tenantId}, ${shortUrlId}, ${at}, ${id}, 0, 1)
    on conflict (tenant_id, short_url_id, at) do update set bot = known.bot + 1`)
}

interface Days {
  from: string
  to: string
  timezone: string
}

export interface DayRow {
  date: string
  human: number
  bot: number
}

/** Days with a click, in order. `to` is the last day. */
export function listDays(tx: ReadTx, shortUrlId: Id<'shortUrl'>, { from, to, timezone }: Days): Promise<DayRow[]> {
  return tx.many(sql<DayRow>`
    select to_char(at at time zone ${timezone}, 'YYYY-MM-DD') as date, sum(human)::int as human, sum(bot)::int as bot
    from short_url_clicks
    where tenant_id = ${tx.tenantId} and short_url_id = ${shortUrlId}
      and at >= (${from}::date::timestamp at time zone ${timezone}) and at < ((${to}::date + 1)::timestamp at time zone ${timezone})
    group by 1 order by 1`)
}
