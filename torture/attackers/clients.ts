import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Attack, Damage } from './attackers-process.ts'
import { createClient, isAnswer, startLoad, until } from '../load.ts'
import { createRig, createWorkspace, memoryOf, submission } from '../rig.ts'
import { createJudge, quantile, type Given, type Verdict } from '../verdict.ts'

export interface ClientsSize extends Attack {
  requestsPerSecond: number
  /** Before anything is measured. */
  warmMs: number
  /** Of each of the two phases that are compared. */
  phaseMs: number
  /** Whether times and memory are judged: those of a machine that does other things too say nothing. */
  measured: boolean
}

const P99_RATIO = 1.5
const MEMORY_MB = 50
// The server's setting: a client without a head by then is cut.
const HEADERS_MS = 10_000
const SAMPLE_MS = 250
const SETTLE_MS = 2_000

/**
 * Thousands of slow connections, uploads past the limit, and requests without a pause: the others hardly notice, and
 * the memory stays.
 */
export async function runClients({ databaseUrl, say }: Given, size: ClientsSize): Promise<Verdict> {
  const rig = await createRig(databaseUrl)
  const client = createClient()
  try {
    const judge = createJudge()
    const { process: api, url } = await rig.serve({ ROLE: 'api' })
    const workspace = await createWorkspace(url, [rig.receiver.url(0)])
    const { hostname, port } = new URL(url)
    const attackers = fork(new URL('attackers-process.ts', import.meta.url), [hostname, port, workspace.submitPath], {
      stdio: 'inherit',
    })
    const report = async (): Promise<Damage> => {
      attackers.send('report')
      const [damage] = (await once(attackers, 'message')) as [Damage]
      return damage
    }

    let times: number[] = []
    let failed = 0
    const submit = async (n: number) => {
      const started = performance.now()
      const answer = await client.call('POST', `${url}${workspace.submitPath}`, { body: submission(n) })
      times.push(performance.now() - started)
      if (!isAnswer(answer) || answer.status !== 201) failed += 1
    }
    // More than what comes later, so that the process has grown as large as its own work makes it.
    const warm = startLoad(size.requestsPerSecond * 4, submit)
    await pause(size.warmMs)
    if (size.measured) await untilSteady(() => memoryOf(api))
    await warm.stop()
    const load = startLoad(size.requestsPerSecond, submit)
    await pause(SETTLE_MS)
    times = []
    const calmMb = await watch(() => memoryOf(api), size.phaseMs)
    const calm = times

    const { slow, uploads, uploadsPerSecond, pipelines } = size
    attackers.send({ slow, uploads, uploadsPerSecond, pipelines } satisfies Attack)
    const arrived = await until(async () => (await report()).open >= size.slow * 0.95, 30_000, 250)
    judge.must('the slow connections are there', arrived)
    say(`${size.slow} slow connections`)
    times = []
    const attackedMb = await watch(() => memoryOf(api), size.phaseMs)
    const attacked = times
    await until(async () => (await report()).ended === size.uploads, 30_000, 250)
    const damage = await report()
    attackers.disconnect()
    await load.stop()

    const [before, during] = [quantile(calm, 0.99), quantile(attacked, 0.99)]
    judge.must(
      'the p99 of the others stays within 1.5 times',
      !size.measured || during <= before * P99_RATIO,
      `${before.toFixed(1)} ms, then ${during.toFixed(1)} ms`,
    )
    judge.must(
      `memory stays within ${MEMORY_MB} MB`,
      !size.measured || attackedMb - calmMb <= MEMORY_MB,
      `${Math.round(calmMb)} MB, then ${Math.round(attackedMb)} MB`,
    )
    judge.must('the others are all served', failed === 0, `${failed} are not`)
    judge.must(
      'no upload past the limit is taken',
      damage.accepted === 0 && damage.ended === size.uploads,
      JSON.stringify(damage),
    )
    judge.must('who does not wait for answers is ended', damage.pipelines503 >= pipelines, damage.pipelines503)
    judge.must('slow connections are ended', damage.cut > 0 || size.phaseMs <= HEADERS_MS)
    judge.fact(
      'p99 of the others, before and during',
      `${before.toFixed(1)} and ${during.toFixed(1)} ms, ratio ${(during / before).toFixed(2)}`,
    )
    judge.fact(
      'median of the others, before and during',
      `${quantile(calm, 0.5).toFixed(1)} and ${quantile(attacked, 0.5).toFixed(1)} ms`,
    )
    judge.fact('memory at most, before and during', `${Math.round(calmMb)} and ${Math.round(attackedMb)} MB`)
    judge.fact('slow connections, and how many were ended', `${damage.open} and ${damage.cut}`)
    judge.fact('uploads, and how many read their 413', `${damage.ended} and ${damage.refused413}`)
    return judge.verdict()
  } finally {
    await client.close()
    await rig.stop()
  }
}

/** Until two windows of time in a row have not raised the largest sample by as much as 2 MB; a minute at most. */
async function untilSteady(sample: () => number): Promise<void> {
  let most = 0
  for (let window = 0, steady = 0; window < 12 && steady < 2; window++) {
    const now = await watch(sample, 5_000)
    steady = now < most + 2 ? steady + 1 : 0
    most = Math.max(most, now)
  }
}

/** The largest of the samples over some time. */
async function watch(sample: () => number, forMs: number): Promise<number> {
  let most = 0
  for (const end = performance.now() + forMs; performance.now() < end; await pause(SAMPLE_MS))
    most = Math.max(most, sample())
  return most
}
