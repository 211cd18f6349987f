import { fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startProcess } from '../../src/testing/process.ts'
import type { House } from './house.ts'
import { untilReady } from './load.ts'
import { ask, IN_FLIGHT, say, SECRETS_KEY, startReceiver } from './rig.ts'
import type { Submitted } from './submissions.ts'

const ROUNDS = 3
const SECONDS = 10
const WARM_MS = 10_000
const MOST_LOST = 0.2

/** Submissions and deliveries a second of one process, without and with an export in it. True if few are lost. */
export async function besideAnExport(house: House, exported: string): Promise<boolean> {
  const dataDir = await mkdtemp(join(tmpdir(), 'earshot-bench-'))
  const receiver = await startReceiver()
  const survey = await house.call<{ id: string }>('POST', '/v1/surveys', {
    name: 'Beside',
    metric: 'nps',
    questions: [
      { id: 'q1', type: 'nps', title: 'T' },
      { id: 'q2', type: 'open_text', title: 'T' },
    ],
    custom_fields: ['sent_at'],
  })
  await house.call('POST', `/v1/surveys/${survey.id}/publish`)
  await house.call('POST', '/v1/webhooks', { url: `${receiver.url}/hooks`, events: ['response.completed'] })
  const earshot = startProcess({
    DATABASE_URL: house.databaseUrl,
    DATA_DIR: dataDir,
    SECRETS_KEY,
    ROLE: 'all',
    LOG_LEVEL: 'error',
  })
  const url = await earshot.url
  await untilReady(url)
  const client = fork(new URL('submissions.ts', import.meta.url), { stdio: 'inherit' })
  client.send({ url, paths: [`/public/surveys/${survey.id}/responses`], pace: { inFlight: IN_FLIGHT / 2 } })
  const count = async () => ({
    submitted: (await ask<Submitted>(client, 'accepted')).accepted,
    delivered: (await receiver.ask<{ received: number }>('received')).received,
  })
  const window = async () => {
    const before = await count()
    await pause(SECONDS * 1000)
    const after = await count()
    return {
      submitted: (after.submitted - before.submitted) / SECONDS,
      delivered: (after.delivered - before.delivered) / SECONDS,
    }
  }
  await pause(WARM_MS)
  const totals = { without: { submitted: 0, delivered: 0 }, beside: { submitted: 0, delivered: 0 } }
  let rows = 0
  for (let round = 0; round < ROUNDS; round++)
    for (const kind of ['without', 'beside'] as const) {
      const run =
        kind === 'beside' &&
        (await house.call<Run>('POST', '/v1/export-runs', {
          source: 'responses',
          survey_id: exported,
          format: 'csv',
          part_rows: 1000,
        }))
      const rates = await window()
      totals[kind].submitted += rates.submitted / ROUNDS
      totals[kind].delivered += rates.delivered / ROUNDS
      if (!run) continue
      const { progress, status } = await house.call<Run>('GET', `/v1/export-runs/${run.id}`)
      if (status !== 'building') say(`  the export was ${status} before the window ended: give it more --rows`)
      rows += progress.rows / SECONDS / ROUNDS
      await house.call('POST', `/v1/export-runs/${run.id}/cancel`)
      while (!(await house.call<Run>('GET', `/v1/export-runs/${run.id}`)).cleanup) await pause(200)
    }
  await ask(client, 'stop')
  client.disconnect()
  await earshot.kill('SIGTERM')
  receiver.stop()
  await rm(dataDir, { recursive: true, force: true })
  const kept = (what: 'submitted' | 'delivered') => totals.beside[what] / totals.without[what]
  for (const what of ['submitted', 'delivered'] as const)
    say(
      `${what.padEnd(10)} ${totals.without[what].toFixed(0).padStart(6)} a second, ${totals.beside[what].toFixed(0).padStart(6)} beside an export   ${kept(what).toFixed(2)}`,
    )
  say(`the export wrote ${rows.toFixed(0)} rows a second meanwhile`)
  return kept('submitted') >= 1 - MOST_LOST && kept('delivered') >= 1 - MOST_LOST
}

interface Run {
  id: string
  status: string
  cleanup: object | null
  progress: { rows: number }
}
