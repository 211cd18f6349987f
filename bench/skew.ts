import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Registry } from 'prom-client'
import { createDeliveryEngine } from '../src/features/delivery/webhooks/engine/delivery-engine.ts'
import type { TenantId } from '../src/platform/ids.ts'
import { ANALYZED } from './parts/own-database.ts'
import {
  countUndelivered,
  createTenant,
  ENDPOINTS,
  machine,
  openRig,
  say,
  stageEvents,
  verdict,
  type Rig,
} from './parts/rig.ts'

// A busy tenant with a long ledger and a full queue beside many small ones: whether either is slower for the other's
// rows. Both keep the same worker busy, so its deliveries for the other count as the time that they take alone.
const EVENTS_OF_SMALL = 10
const POLL_MS = 20

const { values: options } = parseArgs({
  options: {
    ledger: { type: 'string', default: '200000' },
    due: { type: 'string', default: '20000' },
    tenants: { type: 'string', default: '1000' },
  },
})
const [ledger, due, tenants] = [Number(options.ledger), Number(options.due), Number(options.tenants)]
const rowsOf = { big: Math.ceil(due / ENDPOINTS) * ENDPOINTS, small: tenants * EVENTS_OF_SMALL }

type Side = keyof typeof rowsOf

/** When the last row of a side was delivered, in seconds, and how many of the other side's were by then. */
type Finish = Record<Side, { seconds: number; others: number }>

say(
  `${machine()}; one worker, PostgreSQL over a Unix socket with default settings but fsync off, nothing analyzed by hand.`,
)
say(
  `Big: one tenant with ${n(ledger)} settled rows, ${n(rowsOf.big)} due and ${ENDPOINTS} endpoints. Small: ${n(tenants)} tenants with ${EVENTS_OF_SMALL} due rows each.\n`,
)

const bigAlone = (await measure(['big'])).big.seconds
const smallAlone = (await measure(['small'])).small.seconds
const together = await measure(['big', 'small'])
// The time that a side's own deliveries took beside the other's.
const smallBeside = together.small.seconds - together.small.others * (bigAlone / rowsOf.big)
const bigBeside = together.big.seconds - together.big.others * (smallAlone / rowsOf.small)
verdict('the small ones beside the big one, of alone', smallAlone / Math.max(0, smallBeside), { atLeast: 0.8 })
verdict('the big one beside the small ones, of alone', bigAlone / Math.max(0, bigBeside), { atLeast: 0.8 })

async function measure(sides: Side[]): Promise<Finish> {
  const rig = await openRig()
  const big = sides.includes('big') ? await openBig(rig) : null
  const small: TenantId[] = []
  if (sides.includes('small'))
    for (let i = 0; i < tenants; i++) small.push(await createTenant(rig.services, [`${rig.receiver.url}/small/${i}`]))
  const stage = async (round: number) => {
    if (big) await stageEvents(rig.services, big, rowsOf.big / ENDPOINTS, round * due)
    for (const tenant of small) await stageEvents(rig.services, tenant, EVENTS_OF_SMALL, round * EVENTS_OF_SMALL)
  }
  // Once before it counts: the code is compiled and the connections have prepared their statements.
  await stage(0)
  await drain(rig, sides)
  await stage(1)
  const analyzed = await analyzedTables(rig)
  const finish = await drain(rig, sides)
  await rig.close()
  say(`${sides.join(' and ')}; autovacuum has analyzed ${analyzed} so far`)
  for (const side of sides) {
    const { seconds, others } = finish[side]
    say(
      `      ${side.padEnd(5)} ${n(rowsOf[side])} rows after ${seconds.toFixed(2)} s, ${n(Math.round(rowsOf[side] / seconds))}/s; ${n(others)} of the other side's meanwhile`,
    )
  }
  return finish
}

async function openBig(rig: Rig): Promise<TenantId> {
  const urls = Array.from({ length: ENDPOINTS }, (_, i) => `${rig.receiver.url}/big/${i}`)
  const tenant = await createTenant(rig.services, urls)
  await rig.services.database.asOwner((owner) =>
    owner.query(
      `insert into webhook_deliveries (tenant_id, id, webhook_id, event_id, event, status, attempts, attempts_logged,
         last_status_code, last_latency_ms, created_at, delivered_at)
       select $1, (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(i::text), 1, 19))::uuid, hooks.ids[1 + i % array_length(hooks.ids, 1)],
         gen_random_uuid(), 'response.completed', 'delivered', 1, 1, 200, 12, at, at
       from (select array_agg(id) as ids from webhooks where tenant_id = $1) as hooks,
         generate_series(1, $2::int) as i, lateral (select now() - interval '30 days' * (1 - i::float8 / $2)) as made (at)`,
      [tenant, ledger],
    ),
  )
  return tenant
}

async function drain(rig: Rig, sides: Side[]): Promise<Finish> {
  const { run, clock, log, settings } = rig.services
  const engine = createDeliveryEngine({ run, clock, log, settings, metrics: new Registry() })
  const counts = async () => {
    const { at } = await rig.receiver.ask<{ at: Partial<Record<Side, number>> }>('received')
    return { big: at.big ?? 0, small: at.small ?? 0 }
  }
  const first = await counts()
  const finish: Partial<Finish> = {}
  const started = performance.now()
  await engine.sweep()
  while (sides.some((side) => !finish[side])) {
    await pause(POLL_MS)
    const now = await counts()
    for (const side of sides) {
      const other = side === 'big' ? 'small' : 'big'
      if (now[side] - first[side] >= rowsOf[side])
        finish[side] ??= { seconds: (performance.now() - started) / 1000, others: now[other] - first[other] }
    }
  }
  await engine.idle()
  await engine.stop()
  const left = await countUndelivered(rig.services)
  if (left > 0) throw new Error(`${left} rows were not delivered`)
  return finish as Finish
}

async function analyzedTables(rig: Rig): Promise<string> {
  const [row] = await rig.services.database.asOwner((owner) => owner.query<{ names: string }>(ANALYZED))
  return row?.names ?? ''
}

function n(value: number): string {
  return value.toLocaleString('en')
}
