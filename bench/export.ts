import { parseArgs } from 'node:util'
import { exportRunsSweep } from '../src/features/exports/exports/exports.feature.ts'
import { parseId } from '../src/platform/ids.ts'
import { copyToClient } from './parts/copy.ts'
import { besideAnExport } from './parts/export-beside.ts'
import { openHouse, timed } from './parts/house.ts'
import { cpuOfPostgres, parentOf } from './parts/processes.ts'
import { say } from './parts/rig.ts'

// Rows a second of an export against COPY of the same columns, and the memory of this process meanwhile.
const SHARE = 0.3
const MOST_MIB = 300
const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    formats: { type: 'string', default: 'csv,jsonl,xlsx,parquet' },
    beside: { type: 'boolean', default: false },
  },
})
const rows = Number(options.rows)
const QUESTIONS = Array.from({ length: 10 }, (_, n) => `q${n}`)

const house = await openHouse()
const { services, call, sql } = house
const survey = await call<{ id: string }>('POST', '/v1/surveys', {
  name: 'Bench',
  metric: 'nps',
  questions: [
    { id: 'q0', type: 'nps', title: 'T' },
    ...QUESTIONS.slice(1).map((id) => ({ id, type: 'rating', scale: 10, title: 'T' })),
  ],
})
await call('POST', `/v1/surveys/${survey.id}/publish`)
const surveyId = parseId('survey', survey.id)

say(`filling ${((await timed(fill)) / 1000).toFixed(0)} s`)
if (options.beside) {
  const isKept = await besideAnExport(house, survey.id)
  say(`\nat most a fifth lost beside an export: ${isKept ? 'held' : 'missed'}`)
  await house.close()
  process.exit(isKept ? 0 : 1)
}
const answers = QUESTIONS.map((_, at) => `answers #>> '{${at},value}'`).join(', ')
const columns =
  'id, survey_id, survey_version, state, channel, language, metric, score, band, agent_id, person_id, started_at, ' +
  'completed_at, duration_ms, tags, quality_flags, notes'
const postmaster = await services.database.asOwner(async (owner) =>
  parentOf((await owner.query<{ pid: number }>('select pg_backend_pid() as pid'))[0]?.pid ?? 0),
)
const copy = () =>
  copyToClient(house.databaseUrl, `copy (select ${columns}, ${answers} from responses order by id) to stdout csv`)
const copies: Array<{ ms: number; cpu: string }> = []
for (let n = 0; n < 3; n++) {
  const cpu = startCpu()
  copies.push({ ms: await copy(), cpu: cpu() })
}
const best = copies.toSorted((a, b) => a.ms - b.ms)[0]
const copied = rows / ((best?.ms ?? 0) / 1000)
say(`COPY              ${copied.toFixed(0).padStart(8)} rows/s   ${best?.cpu}`)

let isHeld = true
for (const format of (options.formats ?? '').split(',')) {
  let peak = 0
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 50)
  const cpu = startCpu()
  const before = performance.now()
  const run = await call<Run>('POST', '/v1/export-runs', { source: 'responses', survey_id: survey.id, format })
  const acceptedMs = performance.now() - before
  let ended = run
  while (!ended.completed_at && ended.status !== 'failed') {
    await services.run((system) =>
      exportRunsSweep.run(system, { limit: 100, signal: new AbortController().signal, renew: async () => true }),
    )
    ended = await call<Run>('GET', `/v1/export-runs/${run.id}`)
  }
  clearInterval(watch)
  const rate = rows / ((performance.now() - before) / 1000)
  const mib = peak / 1024 / 1024
  if (format === 'csv') isHeld = rate >= SHARE * copied && mib <= MOST_MIB
  say(
    `${format.padEnd(17)} ${rate.toFixed(0).padStart(8)} rows/s   ${(rate / copied).toFixed(2)} of COPY   ` +
      `peak ${mib.toFixed(0)} MiB   202 after ${acceptedMs.toFixed(0)} ms   ${cpu()}   ${ended.status}, ${ended.progress.rows} rows`,
  )
}
say(`\nCSV at least ${SHARE} of COPY, at most ${MOST_MIB} MiB: ${isHeld ? 'held' : 'missed'}`)
await house.close()
process.exitCode = isHeld ? 0 : 1

/** CPU of a row, here and in PostgreSQL, since the call. A disturbed machine changes it less than the time. */
function startCpu(): () => string {
  const now = () => [process.cpuUsage(), cpuOfPostgres(postmaster)] as const
  const [before, beforePg] = now()
  return () => {
    const [after, afterPg] = now()
    const own = after.user + after.system - before.user - before.system
    return `CPU of a row ${(own / rows).toFixed(1)} and ${(((afterPg - beforePg) * 1e6) / rows).toFixed(1)} µs`
  }
}

async function fill(): Promise<void> {
  const values = QUESTIONS.map(
    (id, at) =>
      `jsonb_build_object('question_id', '${id}', 'type', '${at === 0 ? 'nps' : 'rating'}', 'value', (n * ${at + 7}) % 10 + 1)`,
  )
  for (let from = 1; from <= rows; from += 100_000)
    await sql(
      `insert into responses (tenant_id, id, survey_id, survey_version, state, channel, language, answers, text, custom_data, path, metric, score, band,
         started_at, completed_at, duration_ms, tags, notes, quality_flags, quotas, updated_at)
       select s.tenant_id, (lpad(to_hex(1700000000000 + n), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid,
         s.id, 1, 'completed', 'web', 'en', jsonb_build_array(${values.join(', ')}), '[]', '{}', '{}', 'nps', n % 11, 'passive',
         now(), now(), 1000, '{}', '[]', '{}', '{}', now()
       from generate_series($2::int, $3::int) as n cross join (select tenant_id, id from surveys where id = $1) s`,
      [surveyId, from, Math.min(rows, from + 99_999)],
    )
}

interface Run {
  id: string
  status: string
  completed_at: string | null
  progress: { rows: number }
}
