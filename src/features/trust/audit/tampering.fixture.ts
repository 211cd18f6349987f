import { createHash } from 'node:crypto'
import type { AuditRow } from '../../../platform/audit-entry.ts'
import type { TestServer } from '../../../testing/harness.ts'
import { presentEntry, sealAfter, type Anchor, type Head, type Seal } from './chain.ts'

/** A seeded source of numbers below a limit. */
export type Dice = (limit: number) => number

export function diceFrom(seed: number): Dice {
  let state = createHash('sha256').update(String(seed)).digest()
  return (limit) => {
    state = createHash('sha256').update(state).digest()
    return state.readUInt32BE(0) % limit
  }
}

type Stored = AuditRow & Seal & { tenant_id: string }

/** The sealed log as it stands in the database. */
export async function readLog(server: TestServer): Promise<Stored[]> {
  const rows = await server.peek<Stored>(
    'select e.*, s.seq::float8 as seq, s.previous_hash, s.hash from audit_seals s join audit_entries e on e.id = s.entry_id order by s.seq',
  )
  return rows
}

/** The log as lines of JSON, as an auditor gets it. */
export async function exportLog(server: TestServer): Promise<string[]> {
  return (await readLog(server)).map((row) => JSON.stringify(presentEntry(row, row)))
}

export async function keepCopy(server: TestServer): Promise<void> {
  await server.peek('create table kept_entries (like audit_entries including indexes)')
  await server.peek('insert into kept_entries select * from audit_entries')
  await server.peek('create table kept_seals (like audit_seals including indexes)')
  await server.peek('insert into kept_seals select * from audit_seals')
}

const ENTRY =
  'tenant_id, id, at, actor_type, actor_id, action, target_type, target_id, outcome, ip, request_id, changes'
const SEAL = 'tenant_id, seq, entry_id, previous_hash, hash'

/** Puts back what differs from the copy. */
export async function restoreCopy(server: TestServer): Promise<void> {
  for (const [table, copy, key, columns] of [
    ['audit_entries', 'kept_entries', 'id', ENTRY],
    ['audit_seals', 'kept_seals', 'seq', SEAL],
  ]) {
    await server.peek(
      `delete from ${table} t where not exists (select from ${copy} k where k.${key} = t.${key} and k = t)`,
    )
    await server.peek(
      `insert into ${table} (${columns}) select ${columns} from ${copy} k where not exists (select from ${table} t where t.${key} = k.${key})`,
    )
  }
}

export interface Tampering {
  what: string
  /** Needed to see a log that was cut off or rewritten. */
  anchor: Anchor | null
}

/** Changes the log once, as the owner of the database could. */
export async function tamper(server: TestServer, log: Stored[], dice: Dice): Promise<Tampering> {
  const kinds = [edit, remove, insert, swap, truncate, rewrite]
  return (kinds[dice(kinds.length)] ?? edit)(server, log, dice)
}

// Each makes the column differ from any value that the log has.
const EDITS = {
  at: `at + interval '1 millisecond'`,
  actor_type: `case when actor_type = 'system' then 'user' else 'system' end`,
  actor_id: `coalesce(actor_id, '') || 'x'`,
  action: `action || 'x'`,
  target_type: `coalesce(target_type, '') || 'x'`,
  target_id: `reverse(coalesce(target_id, 'xy'))`,
  outcome: `case when outcome = 'ok' then 'refused' else 'ok' end`,
  ip: `coalesce(ip, '') || '1'`,
  request_id: `coalesce(request_id, '') || 'x'`,
  changes: `changes || '[{"path": "x"}]'`,
}

async function edit(server: TestServer, log: Stored[], dice: Dice): Promise<Tampering> {
  const row = pick(log, dice)
  const columns = [...Object.keys(EDITS), 'hash', 'previous_hash']
  const column = columns[dice(columns.length)] ?? 'at'
  if (column in EDITS) {
    const value = EDITS[column as keyof typeof EDITS]
    await server.peek(`update audit_entries set ${column} = ${value} where id = $1`, [row.id])
  } else {
    await server.peek(`update audit_seals set ${column} = md5(hash) || md5(${column} || 'x') where seq = $1`, [row.seq])
  }
  return { what: `edit ${column} of ${row.seq}`, anchor: null }
}

async function remove(server: TestServer, log: Stored[], dice: Dice): Promise<Tampering> {
  // Not the last: that is a truncation.
  const row = pick(log.slice(0, -1), dice)
  const way = dice(4)
  if (way !== 1) await server.peek('delete from audit_entries where id = $1', [row.id])
  if (way !== 2) await server.peek('delete from audit_seals where seq = $1', [row.seq])
  if (way === 3) await shift(server, row.seq, -1)
  return { what: `remove ${row.seq} in way ${way}`, anchor: null }
}

async function insert(server: TestServer, log: Stored[], dice: Dice): Promise<Tampering> {
  const row = pick(log, dice)
  const way = dice(3)
  const id = `00000000-0000-7000-8000-${dice(2 ** 31)
    .toString(16)
    .padStart(12, '0')}`
  await server.peek(
    `insert into audit_entries select tenant_id, $2, at, actor_type, actor_id, action, target_type, target_id, outcome, ip, request_id, changes
     from audit_entries where id = $1`,
    [row.id, id],
  )
  const seq = way === 0 ? row.seq : (log.at(-1)?.seq ?? 0) + 1
  if (way === 0) await shift(server, seq - 1, 1)
  if (way < 2)
    await server.peek(
      `insert into audit_seals (tenant_id, seq, entry_id, previous_hash, hash) values ($1, $2, $3, $4, $5)`,
      [row.tenant_id, seq, id, row.previous_hash, row.hash],
    )
  return { what: `insert at ${seq} in way ${way}`, anchor: null }
}

async function swap(server: TestServer, log: Stored[], dice: Dice): Promise<Tampering> {
  const one = pick(log.slice(0, -1), dice)
  const other = pick(log.slice(one.seq), dice)
  const seals = dice(2) === 0
  const move = (row: Stored, seq: number) =>
    seals
      ? server.peek('update audit_seals set seq = $2 where seq = $1', [row.seq, seq])
      : server.peek('update audit_seals set entry_id = $2 where seq = $1', [row.seq, log[seq - 1]?.id])
  await server.peek('alter table audit_seals drop constraint audit_seals_entry_id_tenant_id_key')
  await move(one, seals ? 1_000_000 : other.seq)
  await move(other, one.seq)
  if (seals) await server.peek('update audit_seals set seq = $1 where seq = 1000000', [other.seq])
  await server.peek('alter table audit_seals add unique (entry_id, tenant_id)')
  return { what: `swap ${one.seq} and ${other.seq}`, anchor: null }
}

async function truncate(server: TestServer, log: Stored[], dice: Dice): Promise<Tampering> {
  const from = pick(log, dice).seq
  await server.peek('delete from audit_entries where id in (select entry_id from audit_seals where seq >= $1)', [from])
  await server.peek('delete from audit_seals where seq >= $1', [from])
  return { what: `truncate from ${from}`, anchor: headOf(log) }
}

/** Edits one entry, and seals it and all after it again: only an anchor shows that. */
async function rewrite(server: TestServer, log: Stored[], dice: Dice): Promise<Tampering> {
  const row = pick(log, dice)
  await server.peek(`update audit_entries set action = 'webhook.deleted' where id = $1`, [row.id])
  let head: Head | null = log[row.seq - 2] ?? null
  const seals: Seal[] = log.slice(row.seq - 1).map((stored) => {
    const seal = sealAfter(head, stored.id === row.id ? { ...stored, action: 'webhook.deleted' } : stored)
    head = seal
    return seal
  })
  await server.peek(
    `update audit_seals s set previous_hash = n.previous_hash, hash = n.hash
     from unnest($1::bigint[], $2::text[], $3::text[]) as n (seq, previous_hash, hash) where s.seq = n.seq`,
    [seals.map(({ seq }) => seq), seals.map((seal) => seal.previous_hash), seals.map(({ hash }) => hash)],
  )
  return { what: `rewrite from ${row.seq}`, anchor: headOf(log) }
}

function shift(server: TestServer, after: number, by: number): Promise<unknown> {
  return server
    .peek('update audit_seals set seq = -seq where seq > $1', [after])
    .then(() => server.peek('update audit_seals set seq = -seq + $1 where seq < 0', [by]))
}

function headOf(log: Stored[]): Anchor {
  const { seq, hash } = log.at(-1) as Stored
  return { seq, hash }
}

function pick(log: Stored[], dice: Dice): Stored {
  return log[dice(log.length)] as Stored
}
