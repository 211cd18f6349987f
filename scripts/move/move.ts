import type { DatabaseAdapter, OwnerConnection } from '../../src/platform/database/database-adapter.ts'

/** A table whose rows have other contents than those that were read. */
export class MoveError extends Error {}

interface Table {
  name: string
  /** Without columns that the database computes. */
  columns: string
  /** Names and types, which both databases must have alike. */
  shape: string
  forced: boolean
}

export interface Moved {
  table: string
  rows: number
}

// Rows of events can hold 64 KiB each.
const BATCH = 200
// Both sides must write a value in the same letters.
const ONE_FORM = `set local timezone = 'UTC'; set local datestyle = 'ISO'; set local intervalstyle = 'postgres';
  set local bytea_output = 'hex'; set local extra_float_digits = 1`

/**
 * Copies every row into a migrated database without accounts, in one transaction, and compares both sides before it
 * commits.
 * @throws MoveError, and nothing is copied.
 */
export function move(source: DatabaseAdapter, target: DatabaseAdapter): Promise<Moved[]> {
  return source.asOwner((from) =>
    target.asOwner(async (to) => {
      await from.script(`begin read only; ${ONE_FORM}`)
      await to.script(`begin; ${ONE_FORM}`)
      try {
        const moved = await copy(from, to)
        await to.script('commit')
        await to.script('analyze')
        return moved
      } catch (error) {
        await to.script('rollback').catch(() => {})
        throw error
      } finally {
        await from.script('rollback').catch(() => {})
      }
    }),
  )
}

async function copy(from: OwnerConnection, to: OwnerConnection): Promise<Moved[]> {
  const tables = await listTables(from)
  await refuseOther(tables, to)
  const forced = tables.filter(({ forced }) => forced)
  // The owner reads and writes past row level security until the end of this transaction.
  for (const { name } of forced) await to.script(`alter table ${name} no force row level security`)
  const [accounts] = await to.query<{ some: boolean }>('select exists (select from users) as some')
  if (accounts?.some) throw new MoveError('The database of DATABASE_URL has accounts already. Move into an empty one.')
  const links = await listForeignKeys(to)
  for (const { table, name } of links)
    await to.script(`alter table ${table} alter constraint ${name} deferrable initially deferred`)
  await to.script(`truncate ${tables.map(({ name }) => name).join(', ')}`)
  const moved: Moved[] = []
  for (const table of tables) moved.push({ table: table.name, rows: await copyTable(from, to, table) })
  await to.script('set constraints all immediate')
  for (const { table, name } of links) await to.script(`alter table ${table} alter constraint ${name} not deferrable`)
  for (const { name } of forced) await to.script(`alter table ${name} force row level security`)
  return moved
}

async function copyTable(from: OwnerConnection, to: OwnerConnection, { name, columns }: Table): Promise<number> {
  await from.script(`declare every_row no scroll cursor for select the_row::text as row from ${name} the_row`)
  for (;;) {
    const rows = await from.query<{ row: string }>(`fetch ${BATCH} from every_row`)
    if (rows.length === 0) break
    await to.query(`insert into ${name} (${columns}) select ${columns} from unnest($1::text[]::${name}[])`, [
      rows.map(({ row }) => row),
    ])
  }
  await from.script('close every_row')
  const [read, written] = [await sumOf(from, name), await sumOf(to, name)]
  if (read.rows !== written.rows || read.sum !== written.sum)
    throw new MoveError(
      `${name} has ${read.rows} rows in the embedded database, and after the copy ${written.rows} rows or other values in PostgreSQL. Nothing was moved.`,
    )
  return read.rows
}

/** The number of rows, and a sum over their contents in any order. */
async function sumOf(owner: OwnerConnection, table: string): Promise<{ rows: number; sum: string }> {
  const [found] = await owner.query<{ rows: number; sum: string }>(
    `select count(*)::int as rows,
       coalesce(sum(('x' || substr(md5(the_row::text), 1, 15))::bit(60)::bigint::numeric), 0)::text as sum
     from ${table} the_row`,
  )
  return found ?? { rows: 0, sum: '' }
}

async function refuseOther(tables: Table[], to: OwnerConnection): Promise<void> {
  const [citus] = await to.query(`select from pg_extension where extname = 'citus'`)
  if (citus) throw new MoveError('Move into a single PostgreSQL, and from there to the cluster (docs/scaling.md).')
  const shapes = new Map((await listTables(to)).map(({ name, shape }) => [name, shape]))
  const other = tables.filter(({ name, shape }) => shapes.get(name) !== shape)
  if (other.length > 0)
    throw new MoveError(`The two databases have other columns in ${other.map(({ name }) => name).join(', ')}.`)
}

function listTables(owner: OwnerConnection): Promise<Table[]> {
  return owner.query<Table>(
    `select c.oid::regclass::text as name, c.relforcerowsecurity as forced,
       string_agg(quote_ident(a.attname), ', ' order by a.attnum) filter (where a.attgenerated = '') as columns,
       string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), ', ' order by a.attnum) as shape
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace in ('public'::regnamespace, 'app'::regnamespace) and c.relkind = 'r'
       and c.relname <> 'schema_migrations'
     group by c.oid order by 1`,
  )
}

function listForeignKeys(owner: OwnerConnection): Promise<Array<{ table: string; name: string }>> {
  return owner.query(
    `select conrelid::regclass::text as table, quote_ident(conname) as name from pg_constraint
     where contype = 'f' and connamespace in ('public'::regnamespace, 'app'::regnamespace) order by 1, 2`,
  )
}

/** The keys that sealed the values of a database, as the values name them. */
export function listKeysOf(database: DatabaseAdapter): Promise<Set<string>> {
  return database.asOwner(async (owner) => {
    const columns = await owner.query<{ table: string; column: string }>(
      `select c.oid::regclass::text as table, quote_ident(a.attname) as column
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and format_type(a.atttypid, null) = 'text'`,
    )
    const found = new Set<string>()
    for (const { table, column } of columns) {
      const rows = await owner.query<{ key: string }>(
        `select distinct substr(${column}, 4, 8) as key from ${table}
         where ${column} ~ '^v1[.][0-9a-f]{8}[.][A-Za-z0-9_-]{16}[.]'`,
      )
      for (const { key } of rows) found.add(key)
    }
    return found
  })
}
