import { readFileSync } from 'node:fs'
import pg from 'pg'
import type { PostgresServer } from '../../src/testing/database/postgres.ts'
import { parentOf } from './processes.ts'

export interface UsedDatabase {
  url: string
  /** Null where the server runs on another machine. */
  postmaster: number | null
}

/**
 * A database for the product alone: questions about it are asked in another one, so that they do not count as its work.
 */
export interface OwnDatabase extends UsedDatabase {
  /** Transactions that its sessions have reported. */
  transactions(): Promise<number>
  /** The tables that autovacuum has analyzed; the question counts as a transaction. */
  analyzed(): Promise<string>
  drop(): Promise<void>
}

export const ANALYZED = `select coalesce(string_agg(relname, ', ' order by relname), 'no table') as names from pg_stat_user_tables where last_autoanalyze is not null`

let made = 0

export async function createOwnDatabase(server: PostgresServer): Promise<OwnDatabase> {
  const name = `earshot_bench_${process.pid}_${(made += 1)}`
  const outside = new pg.Client({ connectionString: server.url('postgres') })
  await outside.connect()
  await outside.query(`create database ${name}`)
  const { rows } = await outside.query<{ pid: number }>('select pg_backend_pid() as pid')
  return {
    url: server.url(name),
    postmaster: postmasterOf(rows[0]?.pid ?? 0),
    async transactions() {
      const found = await outside.query<{ n: number }>(
        'select (xact_commit + xact_rollback)::float8 as n from pg_stat_database where datname = $1',
        [name],
      )
      return found.rows[0]?.n ?? Number.NaN
    },
    async analyzed() {
      const inside = new pg.Client({ connectionString: server.url(name) })
      await inside.connect()
      const found = await inside.query<{ names: string }>(ANALYZED)
      await inside.end()
      return found.rows[0]?.names ?? ''
    },
    async drop() {
      await outside.query(`drop database ${name} with (force)`)
      await outside.end()
    },
  }
}

// Another machine's process id may be taken by any process of this one.
function postmasterOf(backend: number): number | null {
  try {
    return readFileSync(`/proc/${backend}/comm`, 'utf8').startsWith('postgres') ? parentOf(backend) : null
  } catch {
    return null
  }
}
