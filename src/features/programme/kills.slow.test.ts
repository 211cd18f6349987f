import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { cloneDatabase } from '../../testing/harness.ts'
import { startProcess, type TestProcess } from '../../testing/process.ts'

// A process is killed while a statement of a step waits behind a gate in the database. The statement ends afterwards,
// with its transaction or without: the next process must finish the work, and nothing may happen twice.

const GATE = 4711
const WAITING = { timeout: 30_000, interval: 50 }

let folder: string
let database: Awaited<ReturnType<typeof cloneDatabase>>
let holder: pg.Client
let running: TestProcess
let base: string
let token = ''
let userId = ''
let surveyId = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ear-kills-'))
  database = await cloneDatabase()
  holder = new pg.Client({ connectionString: database.url })
  await holder.connect()
  await holder.query(`
    create function gate() returns trigger language plpgsql set lock_timeout = 0 as $$
    begin
      perform pg_advisory_xact_lock_shared(${GATE});
      return new;
    end $$`)
  await start()
  const made = await call('POST', '/public/workspaces', {
    workspace_name: 'W',
    name: 'Ada',
    email: 'ada@example.com',
    password: 'correct horse battery',
  })
  token = made.token
  userId = made.user.id
  const questions = [{ id: 'q1', type: 'nps', title: 'T' }]
  surveyId = (await call('POST', '/v1/surveys', { name: 'S', metric: 'nps', questions })).id
  await call('POST', `/v1/surveys/${surveyId}/publish`)
  await call('POST', '/v1/alert-rules', {
    name: 'Unhappy',
    trigger: { on: 'response', filter: { all: [{ field: 'band', op: 'eq', value: 'detractor' }] } },
    owner_id: userId,
    escalate_after_minutes: 60,
    notify: { email: [], owner: true },
  })
  const [dashboard] = (await call('GET', '/v1/dashboards')).data
  const schedule = { cron: '0 8 * * *', timezone: 'Europe/Berlin' }
  const report = { name: 'R', dashboard_id: dashboard.id, recipients: [userId], schedule }
  await call('POST', '/v1/reports', report)
}, 120_000)
afterAll(async () => {
  await running.kill('SIGKILL')
  await holder.end()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const answerUnhappy = () =>
  call('POST', `/public/surveys/${surveyId}/responses`, { answers: { q1: 0 }, completed: true })

const STEPS: Array<{ step: string; gate: string; begin: () => Promise<unknown> }> = [
  { step: 'an alert is opened', gate: 'insert on alerts for each row', begin: answerUnhappy },
  { step: 'the mail of a new alert is written', gate: 'insert on outgoing_emails for each row', begin: answerUnhappy },
  {
    step: 'that mail is claimed',
    gate: 'update on outgoing_emails for each row when (new.lease_token is distinct from old.lease_token)',
    begin: answerUnhappy,
  },
  {
    step: 'an alert is escalated',
    gate: `insert on alert_entries for each row when (new.kind = 'escalated')`,
    begin: escalate,
  },
  {
    step: 'the mail of an escalation is written',
    gate: `insert on outgoing_emails for each row when (new.kind = 'alert_escalated')`,
    begin: escalate,
  },
  { step: 'a run of a report is planned', gate: 'insert on report_runs for each row', begin: timePasses },
  {
    step: 'a run is claimed',
    gate: `update on report_runs for each row when (new.status = 'running' and new.document is null)`,
    begin: timePasses,
  },
  {
    step: 'a document is stored',
    gate: 'update on report_runs for each row when (new.document is not null and old.document is null)',
    begin: timePasses,
  },
  {
    step: 'the mail of a report is written',
    gate: `insert on outgoing_emails for each row when (new.kind = 'report')`,
    begin: timePasses,
  },
  {
    step: 'a run ends',
    gate: `update on report_runs for each row when (new.status = 'completed')`,
    begin: timePasses,
  },
]

test.each(STEPS)('a SIGKILL while $step leaves everything done once', { timeout: 90_000 }, async ({ gate, begin }) => {
  await holder.query(`select pg_advisory_lock(${GATE})`)
  await holder.query(`create trigger gate before ${gate} execute function gate()`)
  const begun = begin().catch(() => {})
  await expect
    .poll(() => count(`from pg_locks where locktype = 'advisory' and not granted`), WAITING)
    .toBeGreaterThan(0)
  await running.kill('SIGKILL')
  await holder.query(`select pg_advisory_unlock(${GATE})`)
  await begun
  await expect.poll(() => count(`from pg_locks where locktype = 'advisory'`), WAITING).toBe(0)
  await holder.query(`drop trigger gate on ${/ on (\w+)/.exec(gate)?.[1]}`)
  await start()
  await leasesEnd()
  await expect.poll(unfinished, WAITING).toEqual([0, 0, 0, 0])

  const detractors = await count(`from responses where state = 'completed'`)
  const escalated = await count('from alerts where escalated_at is not null')
  const runs = await count('from report_runs')
  expect(await count('from alerts')).toBe(detractors)
  expect(await count(`from alert_entries where kind = 'escalated'`)).toBe(escalated)
  expect(await count('from report_runs', 'distinct scheduled_for')).toBe(runs)
  expect(await mails()).toEqual({
    ...(detractors > 0 && { alert_opened: detractors }),
    ...(escalated > 0 && { alert_escalated: escalated }),
    ...(runs > 0 && { report: runs }),
  })
})

async function start(): Promise<void> {
  running = startProcess({
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    SECRETS_KEY: 'a-key-of-this-test-that-is-long-enough',
  })
  base = await running.url
  await vi.waitUntil(async () => (await fetch(`${base}/health/ready`)).ok, WAITING)
}

async function call(method: string, path: string, body?: unknown) {
  const answer = await fetch(base + path, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${text}`)
  return text === '' ? null : JSON.parse(text)
}

async function count(rows: string, what = '*'): Promise<number> {
  const found = await holder.query<{ n: number }>(`select count(${what})::int as n ${rows}`)
  return found.rows[0]?.n ?? 0
}

/** An alert that nobody acknowledged in time. */
async function escalate(): Promise<void> {
  await answerUnhappy()
  await holder.query(`update alerts set escalate_at = now() - interval '1 second' where escalate_at is not null`)
  await lookAgain()
}

/** The next time of the report's schedule comes. Each is another one. */
async function timePasses(): Promise<void> {
  await holder.query(`update reports set next_at = now() - interval '1 second'`)
  await lookAgain()
}

/** Frees the rows that a dead process had claimed. */
async function leasesEnd(): Promise<void> {
  await holder.query(`update outgoing_emails set next_attempt_at = now() where finished_at is null`)
  await holder.query(`update report_runs set next_at = now() where completed_at is null`)
  await lookAgain()
}

async function lookAgain(): Promise<void> {
  // Not all of them: a process starts few at a time.
  await holder.query(`
    update sweeps set next_at = now(), lease_until = null
    where name in ('mail.send', 'alerts.escalate', 'reports.schedule', 'reports.run')`)
}

/** Counts the open work at one moment: mails, runs, escalations, and reports to be planned. */
async function unfinished(): Promise<number[]> {
  // One statement, because a report that is planned between two counts would be in neither.
  const { rows } = await holder.query<{ remaining: number[] }>(`
    select array[
      (select count(*)::int from outgoing_emails where finished_at is null),
      (select count(*)::int from report_runs where completed_at is null),
      (select count(*)::int from alerts where escalate_at <= now()),
      (select count(*)::int from reports where next_at <= now())] as remaining`)
  return rows[0]?.remaining ?? []
}

async function mails(): Promise<Record<string, number>> {
  const { rows } = await holder.query<{ kind: string; n: number }>(
    `select kind, count(*)::int as n from outgoing_emails where status = 'sent' and kind in ('alert_opened', 'alert_escalated', 'report') group by 1`,
  )
  return Object.fromEntries(rows.map(({ kind, n }) => [kind, n]))
}
