import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { formatId, type Id } from '../../../../platform/ids.ts'
import { deleteWebhook } from '../registration/webhooks.service.ts'
import {
  EVENTS,
  HOUR,
  type Log,
  type Query,
  begin,
  close,
  countAll,
  countLater,
  deliver,
  expectExact,
  inScope,
  open,
  queryOf,
  read,
  register,
  replaySome,
  retain,
  stage,
  stageElsewhen,
} from './ledger-log.fixture.ts'
import { propertyEngines, propertyRuns } from '../../../../testing/property-runs.ts'

describe.each(propertyEngines())('on %s', (kind) => {
  let log: Log
  beforeAll(async () => {
    log = await open(kind)
  })
  afterAll(() => close(log))

  const kinds = [
    'stage',
    'stage',
    'stage',
    'elsewhen',
    'elsewhen',
    'deliver',
    'deliver',
    'replay',
    'remove',
    'retain',
    'count',
    'count',
    'count',
    'wait',
  ]
  const steps = fc.array(
    fc.record({
      kind: fc.constantFrom(...kinds),
      pick: fc.nat(1_000),
      hours: fc.double({ min: 0, max: 9, noNaN: true }),
    }),
    {
      minLength: 40,
      maxLength: 60,
    },
  )
  const looks = fc.array(
    fc.record({ which: fc.nat(255), hours: fc.integer({ min: 0, max: 30 }), length: fc.integer({ min: 1, max: 20 }) }),
    {
      minLength: 8,
      maxLength: 8,
    },
  )

  async function take(step: { kind: string; pick: number; hours: number }): Promise<unknown> {
    switch (step.kind) {
      case 'stage':
        return stage(log, step.pick)
      case 'elsewhen':
        return stageElsewhen(log, step.pick)
      case 'deliver':
        return deliver(log, step.pick)
      case 'replay':
        return replaySome(log, step.pick)
      case 'remove': {
        const gone = log.webhooks[step.pick % log.webhooks.length]
        if (step.pick % 4 > 0 || !gone) return undefined
        await inScope(log, (scope) => deleteWebhook(scope, gone))
        return register(log, step.pick)
      }
      case 'retain':
        return retain(log, step.hours * 2)
      case 'count':
        return countLater(log, 2 + (step.pick % 3))
      default:
        return log.server.clock.advance(step.hours * HOUR)
    }
  }

  test(
    'counts and pages equal those of every row, whatever happened when, under any filter',
    { timeout: 180_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(steps, looks, fc.boolean(), async (taken, seen, counted) => {
          await begin(log, counted)
          let seenNext = 0
          for (const [i, step] of taken.entries()) {
            await take(step)
            if (i % 5 === 4)
              await expectExact(log, queryOf(log, seen[seenNext++ % seen.length] ?? { which: 0, hours: 0, length: 1 }))
          }
          for (const look of seen) await expectExact(log, queryOf(log, look))
          await countLater(log)
          for (const look of seen) await expectExact(log, queryOf(log, look))
        }),
        propertyRuns(20_261_125, kind === 'pg' ? 3 : 1),
      )
    },
  )

  describe('in a counted log', () => {
    beforeEach(() => begin(log, true))
    const spans = () =>
      log.server.peek<{ until_id: string }>('select until_id from webhook_ledger_spans where tenant_id = $1', [
        log.tenantId,
      ])
    const total = async (query: Query = {}) =>
      (await read(log, query)).counts.pending + (await read(log, query)).counts.delivered
    const changes = () =>
      log.server.peek('select change from webhook_ledger_changes where tenant_id = $1', [log.tenantId])

    test('whole spans are taken from the counts, and only what is newer is counted one by one', async () => {
      for (let i = 0; i < 4; i++) await stage(log)
      await countAll(log, 5)
      expect(await spans()).toHaveLength(2)
      expect(await total()).toBe(12)
      await log.server.peek('update webhook_ledger_counts set deliveries = deliveries + 100 where tenant_id = $1', [
        log.tenantId,
      ])
      expect(await total()).toBe(212)
      expect(await total({ webhook_id: formatId('webhook', log.webhooks[0] as Id<'webhook'>) })).toBe(204)
      expect(await total({ until: log.server.clock.now().toISOString() })).toBe(212)
      expect(await total({ since: log.server.clock.now().toISOString() })).toBe(0)
    })

    test('a page skips the spans that hold no row of its combination', async () => {
      for (let i = 0; i < 4; i++) await stage(log, 1)
      await countAll(log, 3)
      await log.server.peek('delete from webhook_ledger_counts where tenant_id = $1 and event = $2', [
        log.tenantId,
        EVENTS[1],
      ])
      const page = await read(log, { event: EVENTS[1], survey_id: formatId('survey', log.surveys[1] as Id<'survey'>) })
      expect(page.data.length).toBeLessThan(4)
      expect((await read(log, {})).data).toHaveLength(12)
    })

    test('what retention removed goes from the counts, and a span with its last row', async () => {
      for (let i = 0; i < 4; i++) await stage(log)
      await countAll(log, 3)
      expect((await spans()).length).toBeGreaterThan(1)
      await deliver(log, 0)
      await retain(log, -1)
      expect((await changes()).length).toBeGreaterThan(0)
      expect(await total()).toBe(0)
      await countAll(log)
      expect(await changes()).toEqual([])
      expect(await spans()).toHaveLength(1)
      expect(await log.server.peek('select 1 from webhook_ledger_counts where tenant_id = $1', [log.tenantId])).toEqual(
        [],
      )
      expect(await total()).toBe(0)
    })
  })
})
