import { parseId } from '../../src/platform/ids.ts'
import { drained, readLeases, readLedger } from '../ledger.ts'
import { tally } from '../receiver.ts'
import { createRig, hostileHost, type Rig } from '../rig.ts'
import { openStaging, type Hook, type Tenant } from '../staging.ts'
import { createJudge, type Given, type Judge, type Verdict } from '../verdict.ts'

export interface WorkersSize {
  workers: number
  rows: number
}

const ENDPOINTS = 100
const DRAIN_MS = 120_000

/**
 * Many workers over one ledger without faults: every row is sent once. Half of the rows wait already, half come while
 * they work.
 */
export function runWorkers(given: Given, { workers, rows }: WorkersSize): Promise<Verdict> {
  return withTenant(given, endpoints(ENDPOINTS, 0), async (rig, tenant, judge) => {
    const events = Math.ceil(rows / ENDPOINTS)
    const before = Math.floor(events / 2)
    await tenant.stage(before)
    const started = Array.from({ length: workers }, () => rig.start({ ROLE: 'worker' }))
    await Promise.all(started.map((process) => process.url))
    const began = performance.now()
    await tenant.stage(events - before)
    await judgeOnce(rig, judge, events * ENDPOINTS, given.say)
    judge.fact('rows a second', Math.round((events * ENDPOINTS) / ((performance.now() - began) / 1000)))
    await Promise.all(started.map((process) => process.kill('SIGTERM')))
  })
}

export interface ClocksSize {
  rows: number
  apartMs: number
  /** Of each request, so that leases are held while others look. */
  answerMs: number
}

/**
 * Workers on hosts whose clocks are far apart: none takes the other's rows, because both follow the database's clock.
 */
export function runClocks(given: Given, { rows, apartMs, answerMs }: ClocksSize): Promise<Verdict> {
  const hooks = 20
  return withTenant(given, endpoints(hooks, answerMs), async (rig, tenant, judge) => {
    const offsets = [-apartMs / 2, apartMs / 2, -apartMs / 2, apartMs / 2]
    const started = offsets.map((offset) =>
      rig.start({
        ROLE: 'worker',
        WEBHOOK_SWEEP_SECONDS: '1',
        ...hostileHost({ HOST_CLOCK_OFFSET_MS: String(offset) }),
      }),
    )
    await Promise.all(started.map((process) => process.url))
    await tenant.stage(Math.ceil(rows / hooks))
    await judgeOnce(rig, judge, Math.ceil(rows / hooks) * hooks, given.say)
    judge.fact('minutes between the clocks', apartMs / 60_000)
    await Promise.all(started.map((process) => process.kill('SIGTERM')))
  })
}

export interface PoisonSize {
  events: number
  workers: number
}

/** Rows that cannot be prepared: five attempts each and no more, while every other row is delivered by its first. */
export function runPoison(given: Given, { events, workers }: PoisonSize): Promise<Verdict> {
  const hooks = 6
  return withTenant(given, endpoints(hooks, 0), async (rig, tenant, judge) => {
    await tenant.stage(events)
    const [gone, unreadable] = await rig.look<{ id: string }>('select id from events order by id limit 2')
    await rig.look('delete from events where id = $1', [gone?.id])
    await rig.look(`update events set data = '{"cut' where id = $1`, [unreadable?.id])
    const [sealed, moved] = await rig.look<{ id: string }>('select id from webhooks order by id limit 2')
    await rig.look(`update webhooks set secret = 'sealed by a key that is gone' where id = $1`, [sealed?.id])
    await rig.look(`update webhooks set url = 'not a url' where id = $1`, [moved?.id])

    const started = Array.from({ length: workers }, () =>
      rig.start({ ROLE: 'worker', WEBHOOK_RETRY_SECONDS: '0,0,0,0', LOG_LEVEL: 'silent' }),
    )
    judge.must('everything ends', await drained(rig, DRAIN_MS, (left) => given.say(`${left} rows to go`)))
    await Promise.all(started.map((process) => process.kill('SIGTERM')))

    const rows = await rig.look<{
      id: string
      bad: boolean
      status: string
      dead_lettered: boolean
      attempts: number
      logged: number
    }>(
      `select d.id, d.status, d.dead_lettered, d.attempts, (d.event_id = any($1::uuid[]) or d.webhook_id = any($2::uuid[])) as bad,
         (select count(*)::int from webhook_attempts a where a.tenant_id = d.tenant_id and a.delivery_id = d.id) as logged
       from webhook_deliveries d`,
      [
        [gone?.id, unreadable?.id],
        [sealed?.id, moved?.id],
      ],
    )
    const seen = tally(await rig.receiver.log(), (id) => parseId('delivery', id) ?? id)
    const bad = rows.filter((row) => row.bad)
    const good = rows.filter((row) => !row.bad)
    const unended = bad.filter((row) => !(row.dead_lettered && row.attempts === 5 && row.logged === 5))
    judge.must(
      'a row that always throws has five attempts and is dead-lettered',
      unended.length === 0,
      JSON.stringify(unended[0]),
    )
    const touched = good.filter(
      (row) =>
        !(
          row.status === 'delivered' &&
          row.attempts === 1 &&
          row.logged === 1 &&
          seen.byId.get(row.id)?.at.length === 1
        ),
    )
    judge.must('its neighbours are delivered by their first attempt', touched.length === 0, JSON.stringify(touched[0]))
    judge.must('nothing of it is sent', seen.total === good.length, `${seen.total} requests for ${good.length} rows`)
    judge.fact('rows that always throw', bad.length)
    judge.fact('neighbours', good.length)
  })
}

function endpoints(count: number, answerMs: number): (rig: Rig) => Hook[] {
  return (rig) => Array.from({ length: count }, (_, n) => ({ url: rig.receiver.url(n, answerMs) }))
}

async function withTenant(
  { databaseUrl }: Given,
  hooks: (rig: Rig) => Hook[],
  work: (rig: Rig, tenant: Tenant, judge: Judge) => Promise<void>,
): Promise<Verdict> {
  const rig = await createRig(databaseUrl)
  const staging = await openStaging(databaseUrl)
  try {
    const judge = createJudge()
    await work(rig, await staging.createTenant(hooks(rig)), judge)
    return judge.verdict()
  } finally {
    await staging.close()
    await rig.stop()
  }
}

async function judgeOnce(rig: Rig, judge: Judge, rows: number, say: Given['say']): Promise<void> {
  judge.must('every row ends delivered', await drained(rig, DRAIN_MS, (left) => say(`${left} rows to go`)))
  const ledger = await readLedger(rig)
  const seen = tally(await rig.receiver.log(), (id) => parseId('delivery', id) ?? id)
  const [attempts] = await rig.look<{ n: number }>('select count(*)::int as n from webhook_attempts')
  judge.must('the ledger holds each row', ledger.length === rows, `${ledger.length} of ${rows}`)
  judge.must(
    'exactly one request for each row',
    seen.total === rows && seen.byId.size === rows,
    `${seen.total} requests with ${seen.byId.size} ids for ${rows} rows`,
  )
  judge.must('exactly one attempt is logged for each row', attempts?.n === rows, attempts?.n ?? 0)
  judge.must('no row is left claimed', (await readLeases(rig)).size === 0)
  judge.fact('rows', ledger.length)
  judge.fact('requests', seen.total)
}
