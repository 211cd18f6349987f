import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { sql, systemTransaction, tenantTransaction, type TenantTx } from '../../platform/database/database.ts'
import { NestedTransactionError, type DatabaseHandle } from '../../platform/database/database-adapter.ts'
import { newId, parseId, type TenantId } from '../../platform/ids.ts'
import { isolationGaps, tenantTables, type Query } from '../../testing/database/catalogue.ts'
import { createWorkspace } from '../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'

const DENIED = { code: '42501' }

let server: TestServer
let handle: DatabaseHandle
let tables: string[]
beforeAll(async () => {
  server = await startTestServer({ poolSize: 8 })
  handle = server.services.database.open()
  tables = await tenantTables(server.peek)
})
afterAll(async () => {
  await handle.release()
  await server.close()
})

describe('the catalogue', () => {
  test('holds no table, key, policy or role that breaks isolation', async () => {
    expect(tables).toEqual(
      expect.arrayContaining(['directory', 'surveys', 'responses', 'webhooks', 'webhook_deliveries']),
    )
    expect(await isolationGaps(server.peek)).toEqual([])
  })

  // Citus refuses some of these changes itself.
  test.skipIf(inject('nodeUrls').length > 1).each([
    ['create table strays (id uuid primary key)', 'strays has no tenant_id'],
    ['create table notes (tenant_id uuid primary key)', 'notes has no row level security'],
    [
      `create table notes (tenant_id uuid primary key); select app.isolate('notes'); alter table notes no force row level security`,
      'notes has no row level security',
    ],
    [
      'create table notes (tenant_id uuid primary key); alter table notes enable row level security; alter table notes force row level security',
      'notes lacks the tenant policy',
    ],
    [
      `drop policy tenant on surveys; create policy tenant on surveys to earshot_tenant using (true)`,
      'surveys lacks the tenant policy',
    ],
    [
      'create policy wide on surveys for select to earshot_tenant using (true)',
      'surveys.wide has a policy that widens',
    ],
    ['create policy wide on surveys using (true)', 'surveys.wide has a policy that widens'],
    [
      'create policy wide on surveys for update to earshot_system using (true)',
      'surveys.wide lets background work write',
    ],
    ['grant select on surveys to earshot_system', 'surveys is readable as a whole'],
    ['grant select (name) on surveys to earshot_app', 'surveys is open to the session'],
    ['grant select on users to earshot_tenant', 'users has no tenant, yet'],
    ['grant truncate on surveys to earshot_tenant', 'surveys may be truncated'],
    ['create index surveys_name on surveys (name)', 'surveys_name is an index'],
    ['create index surveys_lower on surveys (lower(name))', 'surveys_lower is an index'],
    ['alter table surveys add unique (id)', 'surveys_id_key is an index'],
    ['create table sweeps_log (tenant_id uuid)', 'sweeps_log has no primary key'],
    [
      'alter table sweeps add survey uuid, add tenant uuid, add foreign key (tenant, survey) references surveys (tenant_id, id)',
      'is a foreign key that does not lead',
    ],
    [
      'alter table surveys add other uuid, add foreign key (tenant_id, other) references surveys (tenant_id, id) on delete set null (other)',
      'sets columns to null',
    ],
    [
      'create function app.f() returns trigger language plpgsql as $$ begin return new; end $$; create trigger stamp before insert on surveys for each row execute function app.f()',
      'surveys.stamp has a trigger',
    ],
    ['create view names as select name from surveys', 'names is a view'],
    ['create materialized view names as select name from surveys', 'names is a view'],
    ['create function app.f() returns int security definer language sql as $$ select 1 $$', 'app.f() is a function'],
    ['drop table rate_limits', 'rate_limits is on the list'],
    ['alter table surveys owner to earshot_system', 'earshot_system is a role that owns'],
    ['alter role earshot_app bypassrls', 'earshot_app is a role with more power'],
    ['alter role earshot_app inherit', 'earshot_app is a role with more power'],
    ['grant pg_read_all_data to earshot_app', 'earshot_app in pg_read_all_data'],
  ])('is watched: %s', async (change, gap) => {
    const gaps = await rolledBack(change)
    expect(gaps).toContainEqual(expect.stringContaining(gap))
  })
})

describe('outside a transaction that entered', () => {
  test('the session reads and writes no table', async () => {
    for (const table of [...tables, 'users', 'password_resets', 'sweeps', 'schema_migrations']) {
      await expect(session(`select * from ${table}`), table).rejects.toMatchObject(DENIED)
      await expect(session(`delete from ${table}`), table).rejects.toMatchObject(DENIED)
    }
  })

  test('nothing of a tenant stays behind on the connection, after a commit or a rollback', async () => {
    for (let i = 0; i < 16; i++) {
      await tenantTransaction(handle, newId('workspace'), (tx) => tx.many(sql`select 1`))
      await tenantTransaction(handle, newId('workspace'), (tx) => tx.many(sql`select 1 / 0`)).catch(() => {})
      const { rows } = await session(
        `select current_user::text as role, current_setting('app.tenant_id', true) as tenant`,
      )
      expect(rows).toEqual([{ role: 'earshot_app', tenant: expect.toBeOneOf([null, '']) }])
    }
  })
})

describe('a transaction', () => {
  let ours: TenantId
  let theirs: TenantId
  beforeAll(async () => {
    ours = tenantOf((await createWorkspace(server)).workspaceId)
    theirs = tenantOf((await createWorkspace(server)).workspaceId)
  })

  test('of a tenant sees no row of another in any table, even when it asks for it', async () => {
    for (const table of tables) {
      const rows = await asTenant(ours, (tx) =>
        tx.many(sql`select 1 from ${sql.table(table)} where tenant_id = ${theirs}`),
      )
      expect(rows, table).toEqual([])
    }
    expect(await server.peek('select 1 from workspaces where tenant_id = $1', [theirs])).toHaveLength(1)
    expect(await asTenant(ours, (tx) => tx.many(sql`select 1 from workspaces where tenant_id = ${ours}`))).toHaveLength(
      1,
    )
  })

  test('of a tenant cannot write a row of another, nor move one of its own there', async () => {
    for (const table of tables) {
      await expect(
        asTenant(ours, (tx) => tx.run(sql`insert into ${sql.table(table)} (tenant_id) values (${theirs})`)),
        table,
      ).rejects.toMatchObject(DENIED)
    }
    expect(
      await asTenant(ours, (tx) => tx.run(sql`update workspaces set name = 'taken' where tenant_id = ${theirs}`)),
    ).toBe(0)
    expect(await asTenant(ours, (tx) => tx.run(sql`delete from directory where tenant_id = ${theirs}`))).toBe(0)
    await expect(
      asTenant(ours, (tx) => tx.run(sql`update workspaces set tenant_id = ${theirs} where tenant_id = ${ours}`)),
    ).rejects.toThrow()
  })

  // Past the observer, as a statement would be that names no tenant.
  test('sees the rows of its own tenant alone by the policy, whatever the statement says', async () => {
    const seenBy = async (tenant: TenantId | null, table: string) => {
      const entered = `begin; select app.enter('earshot_tenant', ${tenant ? `'${tenant}'` : 'null'}); select distinct tenant_id from ${table}; rollback`
      return ((await session(entered)) as unknown as Array<{ rows: unknown[] }>)[2]?.rows
    }
    for (const table of tables) {
      const [{ n = 0 } = {}] = await server.peek<{ n: number }>(
        `select count(*) as n from ${table} where tenant_id = $1`,
        [ours],
      )
      expect(await seenBy(ours, table), table).toEqual(n > 0 ? [{ tenant_id: ours }] : [])
      expect(await seenBy(newId('workspace'), table), table).toEqual([])
      expect(await seenBy(null, table), table).toEqual([])
    }
    expect(await seenBy(ours, 'sessions')).toEqual([{ tenant_id: ours }])
  })

  test('of the system reads no more of a tenant than what background work needs', async () => {
    for (const table of tables.filter((name) => name !== 'directory')) {
      await expect(
        systemTransaction(handle, (tx) => tx.many(sql`select * from ${sql.table(table)}`)),
        table,
      ).rejects.toMatchObject(DENIED)
      await expect(
        systemTransaction(handle, (tx) => tx.run(sql`delete from ${sql.table(table)}`)),
        table,
      ).rejects.toMatchObject(DENIED)
    }
  })

  test('that forgets to name its tenant is refused before it runs', async () => {
    await expect(asTenant(ours, (tx) => tx.many(sql`select id from surveys`))).rejects.toThrow(/must name tenant_id/)
  })
})

describe('64 tenants on 8 connections', () => {
  test('write and read at the same time and never see each other', async () => {
    const tenants = await inBatches(
      Array.from({ length: 64 }, (_, n) => n),
      8,
      async (n) => ({ n, ...(await createWorkspace(server, { workspace_name: `Tenant ${n}` })) }),
    )
    const created = new Map<number, string[]>(tenants.map(({ n }) => [n, []]))
    await Promise.all(
      tenants.map(async ({ n, token }) => {
        for (let round = 0; round < 3; round++) {
          const other = tenants[(n + 1) % tenants.length]
          const theirs = created.get(other?.n ?? 0)?.[0]
          const [survey, webhook, foreign, broken] = await Promise.all([
            server.request('POST', '/v1/surveys', { token, body: { name: `survey ${n}` } }),
            server.request('POST', '/v1/webhooks', {
              token,
              body: { url: `http://127.0.0.1:9/${n}`, events: ['response.completed'], description: `webhook ${n}` },
            }),
            server.request('GET', `/v1/surveys/${theirs ?? 'srv_00000000000000000000000000'}`, { token }),
            server.request('POST', '/v1/webhooks', {
              token,
              body: { url: 'http://127.0.0.1:9/', events: ['no.such.event'] },
            }),
          ])
          expect([survey.status, webhook.status, foreign.status, broken.status]).toEqual([201, 201, 404, 422])
          created.get(n)?.push(survey.body.id, webhook.body.id)
          const [surveys, webhooks, me] = await Promise.all([
            server.request('GET', '/v1/surveys?limit=100', { token }),
            server.request('GET', '/v1/webhooks?limit=100', { token }),
            server.request('GET', '/v1/me', { token }),
          ])
          expect(surveys.body.data.map((row: { name: string }) => row.name)).toEqual(
            Array(round + 1).fill(`survey ${n}`),
          )
          expect(webhooks.body.data.map((row: { description: string }) => row.description)).toEqual(
            Array(round + 1).fill(`webhook ${n}`),
          )
          expect(me.text).toContain(`Tenant ${n}"`)
        }
      }),
    )
  }, 120_000)
})

describe.each(['pg', 'pglite'] as const)('on %s', (engine) => {
  let own: TestServer
  beforeAll(async () => {
    own = engine === 'pg' ? server : await startTestServer({ engine })
  })
  afterAll(async () => {
    if (own !== server) await own.close()
  })

  test('a transaction inside a transaction throws instead of waiting for itself', async () => {
    const first = own.services.database.open()
    const second = own.services.database.open()
    const outcome = tenantTransaction(first, newId('workspace'), async (tx) => {
      await expect(tenantTransaction(first, tx.tenantId, async () => {})).rejects.toThrow(NestedTransactionError)
      await expect(systemTransaction(second, async () => {})).rejects.toThrow(NestedTransactionError)
      return tx.one<{ one: number }>(sql`select 1 as one`)
    })
    expect(await outcome).toEqual({ one: 1 })
    expect(await systemTransaction(first, (tx) => tx.one(sql`select 1 as one`))).toEqual({ one: 1 })
  })

  test('another tenant is out of reach on this engine too', async () => {
    const ours = tenantOf((await createWorkspace(own)).workspaceId)
    const theirs = tenantOf((await createWorkspace(own)).workspaceId)
    const open = own.services.database.open()
    expect(
      await tenantTransaction(open, ours, (tx) => tx.many(sql`select 1 from workspaces where tenant_id = ${theirs}`)),
    ).toEqual([])
    expect(
      await tenantTransaction(open, ours, (tx) => tx.many(sql`select 1 from workspaces where tenant_id = ${ours}`)),
    ).toHaveLength(1)
    await expect(
      tenantTransaction(open, ours, (tx) => tx.run(sql`insert into webhooks (tenant_id) values (${theirs})`)),
    ).rejects.toMatchObject(DENIED)
  })
})

function asTenant<T>(tenantId: TenantId, work: (tx: TenantTx) => Promise<T>): Promise<T> {
  return tenantTransaction(handle, tenantId, work)
}

// The pool as rate-limiter-flexible holds it: a session that never called app.enter().
async function session(text: string): Promise<{ rows: unknown[] }> {
  return (await server.services.database.counters?.query(text)) as { rows: unknown[] }
}

function rolledBack(change: string): Promise<string[]> {
  return server.services.database.asOwner(async (owner) => {
    const query: Query = (text, values) => owner.query(text, values)
    await owner.script('begin')
    try {
      await owner.script(change)
      return await isolationGaps(query)
    } finally {
      await owner.script('rollback')
    }
  })
}

function tenantOf(workspaceId: string): TenantId {
  const id = parseId('workspace', workspaceId)
  if (!id) throw new Error(`${workspaceId} is not the id of a workspace`)
  return id
}

async function inBatches<Item, Result>(
  items: Item[],
  size: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let i = 0; i < items.length; i += size) results.push(...(await Promise.all(items.slice(i, i + size).map(work))))
  return results
}
