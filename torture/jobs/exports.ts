import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
// @ts-expect-error The package has no types.
import S3rver from 's3rver'
import { createOnNodes, databaseAt, dropOnNodes } from '../../src/testing/database/databases.ts'
import { createClient, isAnswer, until } from '../load.ts'
import { createRig, createWorkspace, type Rig } from '../rig.ts'
import { createJudge, type Given, type Judge, type Verdict } from '../verdict.ts'

export interface ExportsSize {
  stores: ReadonlyArray<'filesystem' | 's3'>
  kills: number
  /** Runs that are ordered before each kill. One of them is cancelled. */
  runs: number
  rows: number
}

const FORMATS = ['csv', 'jsonl', 'xlsx', 'parquet']
// The phases that a kill waits for, in turn. A phase that passed before it was seen counts by what the kill met.
const PHASES = ['queued', 'building', 'manifesting', 'delivering', 'cancelling', 'cleaning']
const SEEN_MS = 3_000
const LOOK_MS = 1
// The longest pause between the sight of a phase and the kill. Shorter where the phase itself is short.
const AIM_MS: Record<string, number> = { manifesting: 2, cleaning: 2 }
const USUAL_AIM_MS = 20
const DRAINED_MS = 20_000
const END_MS = 120_000
const PART_ROWS = 100
const KEYS = { access_key_id: 'S3RVER', secret_access_key: 'S3RVER' }

/** SIGKILLs in every phase of exports: each run ends whole, and the store keeps nothing else. */
export async function runExports(given: Given, size: ExportsSize): Promise<Verdict> {
  const judge = createJudge()
  const server = [given.databaseUrl]
  const template = new URL(given.databaseUrl).pathname.slice(1)
  for (const store of size.stores) {
    // A run counts every row of its database.
    const name = `${template}_${store}`
    await createOnNodes(server, name, template)
    await onStore({ ...given, databaseUrl: databaseAt(given.databaseUrl, name) }, size, store, judge)
    await dropOnNodes(server, name)
  }
  return judge.verdict()
}

async function onStore({ databaseUrl, random, say }: Given, size: ExportsSize, store: string, judge: Judge) {
  const folder = await mkdtemp(join(tmpdir(), 'ear-torture-s3-'))
  const buckets = ['earshot', 'tenant'].map((name) => ({ name, configs: [] }))
  const s3: { run(): Promise<AddressInfo>; close(): Promise<void> } = new S3rver({
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: buckets,
  })
  const endpoint = `http://127.0.0.1:${(await s3.run()).port}`
  const rig = await createRig(databaseUrl)
  const settings = {
    ROLE: 'all',
    DATA_DIR: join(folder, 'data'),
    ...(store === 's3' && {
      STORAGE: 's3',
      S3_ENDPOINT: endpoint,
      S3_BUCKET: 'earshot',
      S3_ACCESS_KEY_ID: KEYS.access_key_id,
      S3_SECRET_ACCESS_KEY: KEYS.secret_access_key,
      S3_FORCE_PATH_STYLE: 'on',
    }),
  }
  const client = createClient({ timeoutMs: 20_000 })
  try {
    let running = await rig.serve(settings)
    const { token, submitPath } = await createWorkspace(running.url, [])
    const call = async (method: 'GET' | 'POST', path: string, body?: object) => {
      const options = { ...(body && { body }), ...(path.startsWith('/v1') && { token }) }
      const answer = await client.call(method, `${running.url}${path}`, options)
      if (!isAnswer(answer) || answer.status >= 300)
        throw new Error(`${method} ${path} failed: ${JSON.stringify(answer)}`)
      return answer.body
    }
    const { id: first } = await call('POST', submitPath, { answers: { q1: 9, q2: 'The first' } })
    await copyRows(rig, size.rows - 1)
    const ids: string[] = []
    const met: Record<string, number> = {}
    const hit: Record<string, number> = {}
    for (let kill = 0; kill < size.kills; kill++) {
      const phase = PHASES[kill % PHASES.length] as string
      // Otherwise most runs wait, and kills meet them only in the queue.
      await until(async () => (await statuses(rig)).length < size.runs, DRAINED_MS)
      if (phase === 'cleaning') await expireOne(rig)
      for (let n = 0; n < size.runs; n++) {
        const destination =
          n % 2 === 0 ? { type: 'download' } : { type: 's3', bucket: 'tenant', region: 'us-east-1', endpoint, ...KEYS }
        const format = FORMATS[(kill + n) % FORMATS.length]
        ids.push(
          (
            await call('POST', '/v1/export-runs', {
              source: 'responses',
              format,
              destination,
              options: {},
              part_rows: PART_ROWS,
            })
          ).id,
        )
      }
      if (phase === 'cancelling') await call('POST', `/v1/export-runs/${ids.at(-1)}/cancel`)
      await until(async () => (await statuses(rig)).includes(phase), SEEN_MS, LOOK_MS)
      await pause(random() * (AIM_MS[phase] ?? USUAL_AIM_MS))
      await running.process.kill('SIGKILL')
      const unfinished = await statuses(rig)
      for (const status of unfinished) met[status] = (met[status] ?? 0) + 1
      if (unfinished.includes(phase)) hit[phase] = (hit[phase] ?? 0) + 1
      await endLeases(rig)
      running = await rig.serve(settings)
      say(`${store}: kill ${kill + 1} of ${size.kills}, runs met: ${JSON.stringify(met)}`)
    }
    const ended = await until(async () => (await statuses(rig)).length === 0, END_MS)
    judge.must(`${store}: every run ends`, ended, JSON.stringify(await statuses(rig)))
    const expected = await rig.look<{ id: string }>('select id from responses order by id')
    for (const id of ids) await judgeRun(id, expected.length)
    const known = await rig.look<{ n: number }>('select count(*)::int as n from export_parts')
    const rows = await rig.look<{ slices: number }>(
      `select count(*)::int as slices from export_slices s join export_runs r on r.id = s.run_id where r.status <> 'completed'`,
    )
    judge.must(`${store}: a run that ended otherwise remembers no row`, rows[0]?.slices === 0, rows[0]?.slices)
    const objects = await countObjects(folder, store)
    judge.must(
      `${store}: it holds the parts of completed runs and nothing else`,
      objects === known[0]?.n,
      `${objects} objects, ${known[0]?.n} parts`,
    )
    judge.fact(`${store}: runs`, ids.length)
    judge.fact(`${store}: parts`, known[0]?.n ?? 0)
    judge.fact(`${store}: runs met by a kill`, JSON.stringify(met))
    judge.fact(`${store}: kills in the phase that they waited for`, JSON.stringify(hit))
    judge.must(`${store}: a kill met a run`, Object.values(met).length > 0)
    judge.must(`${store}: the first response is there`, first !== undefined)

    async function judgeRun(id: string, total: number): Promise<void> {
      // The judge reads more in a minute than a caller may.
      await rig.look('delete from rate_limits')
      const run = await call('GET', `/v1/export-runs/${id}`)
      if (run.status === 'cancelled' || run.status === 'cleaned')
        return judge.must(`${id} is cleaned`, run.cleanup?.objects_found === 0)
      judge.must(`${id} is completed`, run.status === 'completed', JSON.stringify(run))
      if (run.status !== 'completed') return
      const manifest = await call('GET', `/v1/export-runs/${id}/manifest`)
      const parts = manifest.parts as Array<{ n: number; rows: number; bytes: number; sha256: string }>
      judge.must(
        `${id} has every row once`,
        manifest.rows === total && parts.reduce((sum, { rows }) => sum + rows, 0) === total,
      )
      judge.must(
        `${id} has every part once`,
        parts.every(({ n }, at) => n === at + 1) && parts.length === Math.ceil(total / PART_ROWS),
      )
      const seen = new Set<string>()
      for (const { n, bytes, sha256 } of parts) {
        const answer = await fetch(`${running.url}/v1/export-runs/${id}/parts/${n}`, {
          headers: { authorization: `Bearer ${token}` },
        })
        const file = Buffer.from(await answer.arrayBuffer())
        const isWhole = file.byteLength === bytes && createHash('sha256').update(file).digest('hex') === sha256
        judge.must(`${id}: part ${n} is what the manifest says`, isWhole)
        if (run.format !== 'jsonl') continue
        for (const line of String(file).trimEnd().split('\n')) seen.add(JSON.parse(line).id)
      }
      judge.must(`${id} has no row twice`, run.format !== 'jsonl' || seen.size === total, seen.size)
    }
  } finally {
    await client.close()
    await rig.stop()
    await s3.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The states of runs that have not ended. */
async function statuses(rig: Rig): Promise<string[]> {
  const rows = await rig.look<{ status: string }>(
    `select status from export_runs where status not in ('completed', 'cancelled', 'failed', 'cleaned')
       or (status in ('cancelled', 'failed') and cleanup is null)`,
  )
  return rows.map(({ status }) => status)
}

/** Ends the leases of the process that died, instead of waiting a minute. */
async function endLeases(rig: Rig): Promise<void> {
  await rig.look(`update export_runs set next_at = now() where next_at is not null and status <> 'completed'`)
  await rig.look('update sweeps set lease_until = null, lease_token = null where lease_token is not null')
}

/** Lets the oldest completed run expire. The next order wakes the process that cleans it. */
async function expireOne(rig: Rig): Promise<void> {
  await rig.look(
    `update export_runs set expires_at = now(), next_at = now()
     where id = (select id from export_runs where status = 'completed' order by created_at limit 1)`,
  )
}

/** Counts the objects of all runs in the store, whole or not. */
async function countObjects(folder: string, store: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const start = store === 's3' ? join(folder, 'earshot') : join(folder, 'data', 'objects')
  return entries.filter(
    (entry) =>
      entry.isFile() && entry.parentPath.startsWith(start) && (store !== 's3' || entry.name.endsWith('_S3rver_object')),
  ).length
}

/** Copies of the one response, each with an id of its own. */
async function copyRows(rig: Rig, count: number): Promise<void> {
  const columns = await rig.look<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_name = 'responses' and table_schema = 'public' and is_generated = 'NEVER' and column_name <> 'id'`,
  )
  const names = columns.map(({ name }) => name).join(', ')
  await rig.look(
    `insert into responses (id, ${names}) select gen_random_uuid(), ${names} from responses cross join generate_series(1, $1::int)`,
    [count],
  )
}
