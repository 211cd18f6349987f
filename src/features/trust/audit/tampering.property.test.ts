import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkspace, runSweep, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { sealEntriesSweep } from './audit.feature.ts'
import type { Anchor } from './chain.ts'
import { diceFrom, exportLog, keepCopy, readLog, restoreCopy, tamper } from './tampering.fixture.ts'
import { isFast, propertyRuns } from '../../../testing/property-runs.ts'

const { seed: SEED, numRuns: TAMPERINGS } = propertyRuns(20_261_122, 8, 3)
// More than any batch or page of the product.
const ENTRIES = isFast() ? 1_500 : 5_000
const CHECKER = new URL('../../../../scripts/verify-audit.mjs', import.meta.url)

interface Verdict {
  ok: boolean
  entries: number
  broken_at: number | null
  reason: string | null
}
type Verify = (lines: Iterable<string>, anchor: Anchor | null) => Promise<Verdict>

let server: TestServer
let workspace: TestWorkspace
let folder: string
let verifyOffline: Verify
beforeAll(async () => {
  server = await startTestServer()
  workspace = await createWorkspace(server)
  verifyOffline = ((await import(CHECKER.href)) as { verifyLog: Verify }).verifyLog
  folder = mkdtempSync(join(tmpdir(), 'audit-'))
  await makeLog(ENTRIES)
  await keepCopy(server)
}, 120_000)
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await server.close()
})

/** Entries of many kinds, sealed by the sweep. */
async function makeLog(total: number): Promise<void> {
  await server.peek(
    `with made as (
       insert into audit_entries as e
       select tenant_id, (lpad(to_hex(1772445600000 + n), 12, '0') || '7000' || '8000' || lpad(to_hex(n), 12, '0'))::uuid,
         timestamptz '2026-03-02T10:00:00Z' + n * interval '1 millisecond',
         case when n % 3 = 0 then 'system' else 'user' end, case when n % 3 = 0 then null else 'usr_' || n % 7 end,
         'webhook.update', case when n % 5 = 0 then null else 'webhook' end, case when n % 5 = 0 then null else 'wh_' || n end,
         case when n % 11 = 0 then 'refused' else 'ok' end, '203.0.113.9', 'req_' || n,
         jsonb_build_array(jsonb_build_object('path', 'n', 'from', n / 8.0, 'to', 'ü 💥 ' || n))
       from workspaces cross join generate_series(1, $1::int) as n returning e.tenant_id, e.id)
     insert into audit_waiting select tenant_id, id from made`,
    [total - 1],
  )
  expect(await runSweep(server, sealEntriesSweep)).toBe(total)
}

async function verify(anchor: Anchor | null): Promise<Verdict> {
  // An auditor may check 30 times a minute.
  await server.peek('delete from rate_limits')
  const query = anchor ? `?anchor=${anchor.seq}:${anchor.hash}` : ''
  const answer = await server.request('GET', `/v1/audit/verify${query}`, { token: workspace.token })
  expect(answer, answer.text).toMatchObject({ status: 200 })
  return answer.body
}

/** Runs the checker as an auditor does: one file, and nothing but Node. */
function runChecker(lines: string[], anchor: Anchor | null) {
  const file = join(folder, 'log.jsonl')
  writeFileSync(file, `${lines.join('\n')}\n`)
  const rest = anchor ? ['--anchor', `${anchor.seq}:${anchor.hash}`] : []
  const { status, stdout } = spawnSync(process.execPath, [CHECKER.pathname, file, ...rest], { encoding: 'utf8' })
  return { status, verdict: JSON.parse(stdout) as Verdict }
}

test('an untouched log is right, with and without its anchor, online and offline', async () => {
  const log = await readLog(server)
  const lines = await exportLog(server)
  for (const anchor of [null, ...[0, 41, ENTRIES - 1].map((at) => log[at] as Anchor)]) {
    const verdict = await verify(anchor)
    expect(verdict).toMatchObject({ ok: true, entries: ENTRIES, waiting: 0, broken_at: null, reason: null })
    expect(runChecker(lines.toReversed(), anchor)).toEqual({ status: 0, verdict })
  }
})

test(
  'each of some seeded changes is found, online and offline',
  async () => {
    const log = await readLog(server)
    const dice = diceFrom(SEED)
    for (let n = 0; n < TAMPERINGS; n++) {
      const { what, anchor } = await tamper(server, log, dice)
      const verdict = await verify(anchor)
      expect(verdict, what).toMatchObject({ ok: false, reason: expect.any(String) })
      // An entry that was never sealed looks to an export like one that still waits.
      if (verdict.broken_at !== null) {
        const offline = await verifyOffline(await exportLog(server), anchor)
        expect({ ...offline, entries: 0 }, what).toEqual({
          ...verdict,
          entries: 0,
          waiting: offline['waiting' as never],
        })
      }
      if (n % 100 === 0)
        expect(runChecker(await exportLog(server), anchor).status).toBe(verdict.broken_at === null ? 0 : 1)
      await restoreCopy(server)
    }
    expect(await verify(null)).toMatchObject({ ok: true })
  },
  TAMPERINGS * 5_000,
)

test('the checker takes a changed line for what it is, and refuses a bad call', async () => {
  const lines = await exportLog(server)
  const [first = '', ...rest] = lines
  for (const [changed, reason] of [
    [[first.replace('"ok"', '"refused"'), ...rest], 'edited'],
    [[first.replace('{', '{"note":"x",'), ...rest], 'edited'],
    [rest, 'missing'],
    [[first, ...lines], 'inserted'],
  ] as const)
    expect(await verifyOffline(changed, null)).toMatchObject({ ok: false, broken_at: 1, reason })
  for (const call of [[], ['nowhere.jsonl'], [CHECKER.pathname], ['log.jsonl', '--anchor', '1:x']])
    expect(spawnSync(process.execPath, [CHECKER.pathname, ...call], { encoding: 'utf8' })).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.not.stringContaining('    at '),
    })
})
