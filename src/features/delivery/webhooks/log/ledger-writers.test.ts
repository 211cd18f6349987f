import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TenantTx } from '../../../../platform/database/database.ts'
import { lowestIdAt, newId } from '../../../../platform/ids.ts'
import { stageEvent } from '../../publishing/publishing.service.ts'
import {
  EVENTS,
  type Log,
  begin,
  close,
  countAll,
  countLater,
  inScope,
  open,
  read,
  stage,
  stageElsewhen,
} from './ledger-log.fixture.ts'

describe('writers that overlap a sweep', () => {
  let log: Log
  beforeAll(async () => {
    log = await open('pg')
  })
  afterAll(() => close(log))
  beforeEach(() => begin(log, true))

  const staged = async () => (await read(log, {})).counts.pending
  const spans = () => log.server.peek('select until_id from webhook_ledger_spans where tenant_id = $1', [log.tenantId])

  /** A staging that has written and waits; `commit` lets it go on. */
  async function hold(): Promise<{ commit(): Promise<void> }> {
    const [written, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const done = inScope(log, (scope) =>
      scope.tx(async (tx) => {
        log.sources += 1
        // A staging writes as it commits; here the writes come first.
        const writes: Array<() => Promise<unknown>> = []
        const early: TenantTx = {
          ...tx,
          atCommit: (statement) => void writes.push(() => tx.prepared(statement)),
        }
        await stageEvent(scope, early, { type: EVENTS[0], surveyId: null, source: `test:${log.sources}`, data: {} })
        await Promise.all(writes.map((write) => write()))
        written.resolve()
        await gate.promise
      }),
    )
    await written.promise
    return {
      async commit() {
        gate.resolve()
        await done
      },
    }
  }

  test('nothing is counted before a staging has ended that could not know of the seal', async () => {
    await stage(log)
    const late = await hold()
    for (let i = 0; i < 3; i++) await stage(log)
    await countLater(log)
    expect(await spans()).toEqual([])
    expect(await staged()).toBe(12)
    await late.commit()
    expect(await staged()).toBe(15)
    await countAll(log)
    expect((await spans()).length).toBeGreaterThan(2)
    expect(await staged()).toBe(15)
  })

  test('counting goes on after a restore, whose barrier is the number of another cluster', async () => {
    await stage(log)
    const late = await hold()
    for (let i = 0; i < 3; i++) await stage(log)
    await countLater(log)
    await late.commit()
    await log.server.peek('update webhook_ledgers set barrier = 1e12 where barrier is not null')
    await countAll(log)
    expect((await spans()).length).toBeGreaterThan(2)
    expect(await staged()).toBe(15)
  })

  test('a delivery with an id below the seal is noted, and merged by the next sweep', async () => {
    for (let i = 0; i < 4; i++) await stage(log)
    await countAll(log)
    await stageElsewhen(log, 0)
    expect(
      await log.server.peek('select change from webhook_ledger_changes where tenant_id = $1', [log.tenantId]),
    ).toEqual([{ change: 1 }])
    expect(await staged()).toBe(13)
    await countAll(log)
    expect(
      await log.server.peek('select change from webhook_ledger_changes where tenant_id = $1', [log.tenantId]),
    ).toEqual([])
    expect(await staged()).toBe(13)
  })

  test('staging notes what it writes below the seal, and only that', async () => {
    await stage(log)
    const changes = () =>
      log.server.peek('select change from webhook_ledger_changes where tenant_id = $1', [log.tenantId])
    expect(await changes()).toEqual([])
    await log.server.peek('update webhook_ledgers set sealed_id = $2 where tenant_id = $1', [
      log.tenantId,
      newId('delivery'),
    ])
    await stage(log)
    expect(await changes()).toEqual([])
    await log.server.peek('update webhook_ledgers set sealed_id = $2 where tenant_id = $1', [
      log.tenantId,
      lowestIdAt(new Date('2100-01-01')),
    ])
    await stage(log)
    expect(await changes()).toEqual([{ change: 1 }, { change: 1 }, { change: 1 }])
    expect(await staged()).toBe(9)
  })

  test('staging does not wait for a sweep', async () => {
    await stage(log)
    await log.server.services.database.asOwner(async (owner) => {
      await owner.script('begin')
      await owner.query('select 1 from webhook_ledgers where tenant_id = $1 for update', [log.tenantId])
      await stage(log)
      await owner.script('rollback')
    })
    expect(await staged()).toBe(6)
  })

  test('a log is counted once somebody met more rows than a span holds', async () => {
    await log.server.peek('delete from webhook_ledgers')
    await stage(log)
    const copy = (n: number) =>
      log.server.peek(
        `insert into webhook_deliveries (tenant_id, id, webhook_id, event_id, event, status, created_at)
         select tenant_id, gen_random_uuid(), webhook_id, gen_random_uuid(), event, 'delivered', created_at
         from (select * from webhook_deliveries limit 1) d, generate_series(1, $1::int)`,
        [n],
      )
    const asked = () => log.server.peek('select 1 from webhook_ledgers')
    await copy(19_997)
    expect((await read(log, {})).counts.delivered).toBe(19_997)
    expect(await asked()).toEqual([])
    await copy(10)
    expect((await read(log, {})).counts.delivered).toBe(20_007)
    expect(await asked()).toHaveLength(1)
    await countAll(log, 20_000)
    expect(await spans()).toHaveLength(1)
    expect((await read(log, {})).counts.delivered).toBe(20_007)
  })
})
