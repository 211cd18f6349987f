import { PLATFORM_TENANT } from '../../src/features/access/mail/mail.service.ts'
import { sql, type ReadTx, type TenantTx } from '../../src/platform/database/database.ts'
import type { TenantId } from '../../src/platform/ids.ts'
import type { Scope, SystemScope } from '../../src/platform/scope.ts'
import type { SecretBox } from '../../src/platform/config/secrets.ts'
import type { Services } from '../../src/services.ts'
import { SEALED, type SealedTable } from './sealed-columns.ts'

const BATCH = 200
const ARCHIVES = 'privacy_archives'

type Row = Record<string, string>

export interface Resealed {
  sealed: number
  /** Values that no key of the list opens. They stay as they are. */
  failed: number
}

/**
 * Seals anew what an older key sealed, workspace by workspace. A value that changes during the run is left to its
 * writer.
 */
export function reseal(services: Services): Promise<Resealed> {
  const newest = newestKey(services.secrets)
  return services.run(async (system) => {
    const done = { sealed: 0, failed: 0 }
    for (const scope of await listScopes(system))
      for (const table of SEALED) await resealTable(scope, table, newest, done)
    return done
  })
}

/** Columns of any table in which values of older keys are left, archives aside. */
export async function leftovers(services: Services): Promise<Array<{ column: string; rows: number }>> {
  const newest = newestKey(services.secrets)
  const columns = await services.database.asOwner((owner) =>
    owner.query<{ table: string; column: string }>(
      `select c.relname::text as table, a.attname::text as column
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relrowsecurity
         and format_type(a.atttypid, null) = 'text' and c.relname <> $1
         and exists (select from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id') order by 1, 2`,
      [ARCHIVES],
    ),
  )
  return services.run(async (system) => {
    const found = new Map<string, number>()
    for (const scope of await listScopes(system))
      for (const { table, column } of columns) {
        const rows = await scope.read((tx) => countLeft(tx, table, column, newest))
        if (rows > 0) found.set(`${table}.${column}`, (found.get(`${table}.${column}`) ?? 0) + rows)
      }
    return [...found].map(([column, rows]) => ({ column, rows }))
  })
}

/** Every workspace, and the platform's own mail. */
async function listScopes(system: SystemScope): Promise<Scope[]> {
  const tenants = await system.tx((tx) =>
    tx.many(sql<{ tenant_id: TenantId }>`
      select distinct tenant_id from directory where kind = 'membership' order by tenant_id`),
  )
  return [PLATFORM_TENANT, ...tenants.map(({ tenant_id }) => tenant_id)].map((id) =>
    system.tenant(id, { type: 'system' }),
  )
}

async function resealTable(scope: Scope, table: SealedTable, newest: string, done: Resealed): Promise<void> {
  for (let after: Row | null = null; ;) {
    const last: Row | null = after
    const rows: Row[] = await scope.tx(async (tx) => {
      const found = await listRows(tx, table, newest, last)
      for (const row of found) await resealRow(scope, tx, table, row, newest, done)
      return found
    })
    if (rows.length < BATCH || table.key.length === 0) return
    after = rows.at(-1) ?? null
  }
}

async function resealRow(
  { secrets }: Scope,
  tx: TenantTx,
  { table, key, columns }: SealedTable,
  row: Row,
  newest: string,
  done: Resealed,
): Promise<void> {
  for (const [column, contextOf] of Object.entries(columns)) {
    const old = row[column]
    if (!old || !isOlder(old, newest)) continue
    const context = contextOf(row)
    const plain = opened(secrets, old, context)
    if (plain === null) {
      done.failed += 1
      continue
    }
    const isRow = key.map((name) => sql`and ${sql.ref(name)} = ${row[name]}`)
    done.sealed += await tx.run(sql`
      update ${sql.table(table)} set ${sql.ref(column)} = ${secrets.seal(plain, context)}
      where tenant_id = ${tx.tenantId} ${sql.join(isRow, sql` `)} and ${sql.ref(column)} = ${old}`)
  }
}

function listRows(
  tx: ReadTx,
  { table, key, numbers = [], columns }: SealedTable,
  newest: string,
  after: Row | null,
): Promise<Row[]> {
  const names = [...new Set(['tenant_id', ...key, ...Object.keys(columns)])].map((name) => sql.ref(name))
  const keys = key.map((name) => sql.ref(name))
  const beyond = after
    ? sql`(${sql.join(keys)}) > (${sql.join(key.map((name) => (numbers.includes(name) ? sql`${after[name]}::integer` : sql`${after[name]}::uuid`)))})`
    : sql`true`
  const olds = Object.keys(columns).map((name) => older(name, newest))
  return tx.many(sql<Row>`
    select ${sql.join(names)} from ${sql.table(table)}
    where tenant_id = ${tx.tenantId} and ${beyond} and (${sql.join(olds, sql` or `)})
    order by ${sql.join([sql.ref('tenant_id'), ...keys])} limit ${BATCH}`)
}

async function countLeft(tx: ReadTx, table: string, column: string, newest: string): Promise<number> {
  const { rows } = await tx.one(sql<{ rows: number }>`
    select count(*)::int as rows from ${sql.table(table)} where tenant_id = ${tx.tenantId} and ${older(column, newest)}`)
  return rows
}

const SEALED_BY = /^v1\.([0-9a-f]{8})\.[A-Za-z0-9_-]{16}\./

function older(column: string, newest: string) {
  return sql`(${sql.ref(column)} ~ '^v1[.][0-9a-f]{8}[.][A-Za-z0-9_-]{16}[.]' and ${sql.ref(column)} not like ${`v1.${newest}.%`})`
}

function isOlder(value: string, newest: string): boolean {
  const key = SEALED_BY.exec(value)?.[1]
  return key !== undefined && key !== newest
}

function newestKey(secrets: SecretBox): string {
  return SEALED_BY.exec(secrets.seal('', 'which key seals'))?.[1] ?? ''
}

function opened(secrets: SecretBox, sealed: string, context: string): string | null {
  try {
    return secrets.open(sealed, context)
  } catch {
    return null
  }
}
