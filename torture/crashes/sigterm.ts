import { setTimeout as pause } from 'node:timers/promises'
import { readLeases } from '../ledger.ts'
import { createClient, isAnswer, startLoad, until } from '../load.ts'
import { createRig, createWorkspace, submission, type Rig, type Workspace } from '../rig.ts'
import { createJudge, type Given, type Judge, type Verdict } from '../verdict.ts'

export interface SigtermSize {
  rounds: number
  requestsPerSecond: number
  /** Of load before each SIGTERM. */
  warmMs: number
  /** Whether times are judged: those of a machine that does other things too say nothing. */
  timed: boolean
}

const READINESS_MS = 1_000
const EXIT_MS = 30_000
const PROBES_PER_SECOND = 20
// The receiver takes this long, so that deliveries are in flight too.
const ANSWER_MS = 200

interface Round {
  unreadyMs: number
  exitMs: number
  answered: number
  refused: number
}

/**
 * SIGTERM under load, on connections that are kept: whatever the process began to read is answered whole, and it leaves
 * nothing claimed.
 */
export async function runSigterm({ databaseUrl, say }: Given, size: SigtermSize): Promise<Verdict> {
  const rig = await createRig(databaseUrl)
  try {
    const judge = createJudge()
    const first = await rig.serve({ ROLE: 'all' })
    const workspace = await createWorkspace(first.url, [rig.receiver.url(0, ANSWER_MS), rig.receiver.url(1, ANSWER_MS)])
    await first.process.kill('SIGTERM')
    const rounds: Round[] = []
    for (let n = 0; n < size.rounds; n++) {
      rounds.push(await oneRound(rig, judge, workspace, size, n))
      say(`round ${n + 1} of ${size.rounds}`)
    }
    judge.fact('rounds', rounds.length)
    judge.fact(
      'requests answered',
      rounds.reduce((sum, round) => sum + round.answered, 0),
    )
    judge.fact(
      'connections refused after the end of listening',
      rounds.reduce((sum, round) => sum + round.refused, 0),
    )
    judge.fact('slowest readiness 503', `${Math.round(Math.max(...rounds.map((round) => round.unreadyMs)))} ms`)
    judge.fact('slowest exit', `${(Math.max(...rounds.map((round) => round.exitMs)) / 1000).toFixed(1)} s`)
    return judge.verdict()
  } finally {
    await rig.stop()
  }
}

async function oneRound(
  rig: Rig,
  judge: Judge,
  workspace: Workspace,
  size: SigtermSize,
  round: number,
): Promise<Round> {
  const { process, url } = await rig.serve({ ROLE: 'all' })
  const client = createClient()
  const acknowledged = new Set<number>()
  const unanswered: Array<{ n: number; code: string; begun: boolean }> = []
  const wrong: number[] = []
  let answered = 0
  let over = false
  // Half of the requests write, half read; a client that is told no stops asking.
  const load = startLoad(size.requestsPerSecond, async (i) => {
    if (over) return
    const writes = i % 2 === 0
    const n = round * 1_000_000 + i
    const result = await (writes
      ? client.call('POST', `${url}${workspace.submitPath}`, { body: submission(n) })
      : client.call('GET', `${url}${workspace.surveyPath}`))
    if (!isAnswer(result)) {
      over = true
      unanswered.push({ n: writes ? n : -1, ...result })
    } else if (result.status !== (writes ? 201 : 200)) wrong.push(result.status)
    else {
      answered += 1
      if (writes) acknowledged.add(n)
    }
  })
  await pause(size.warmMs)
  const at = performance.now()
  const exit = process.kill('SIGTERM')
  const unreadyMs = await untilUnready(url, at)
  const ended = await Promise.race([exit, pause(EXIT_MS, null, { ref: false })])
  const exitMs = performance.now() - at
  await load.stop()
  await client.close()

  const stored = new Set(
    (
      await rig.look<{ n: string }>(
        `select custom_data->>'n' as n from responses where (custom_data->>'n')::int >= $1`,
        [round * 1_000_000],
      )
    ).map(({ n }) => Number(n)),
  )
  const cut = unanswered.filter(({ n, code, begun }) => begun || stored.has(n) || !isBeforeReading(code))
  judge.must('no accepted request is cut', cut.length === 0, JSON.stringify(cut[0]))
  judge.must('every request that is answered succeeds', wrong.length === 0, `${wrong.length} such as ${wrong[0]}`)
  const lost = [...acknowledged].filter((n) => !stored.has(n))
  judge.must('every acknowledged response is stored', lost.length === 0, `${lost.length} are not`)
  judge.must(
    'readiness is 503 within 1 s',
    unreadyMs <= (size.timed ? READINESS_MS : EXIT_MS),
    `${Math.round(unreadyMs)} ms`,
  )
  judge.must('it exits within 30 s, with 0', ended?.code === 0, JSON.stringify(ended))
  const left = await readLeases(rig)
  judge.must('no row is left claimed', left.size === 0, `${left.size} rows`)
  return { unreadyMs, exitMs, answered, refused: unanswered.length }
}

/** Milliseconds from `since` to the first 503; Infinity when the process answered none. */
async function untilUnready(url: string, since: number): Promise<number> {
  const client = createClient({ timeoutMs: 5_000 })
  let found: number | null = null
  // Each probe on its own: one that was sent just before may wait for the database.
  const probes = startLoad(PROBES_PER_SECOND, async () => {
    const answer = await client.call('GET', `${url}/health/ready`)
    if (!isAnswer(answer)) found ??= Infinity
    else if (answer.status === 503) found ??= performance.now() - since
  })
  await until(() => found !== null, EXIT_MS, 5)
  await probes.stop()
  await client.close()
  return found ?? Infinity
}

// A connection that was refused, or ended by the server before one byte of an answer.
function isBeforeReading(code: string): boolean {
  return ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(code)
}
