import { fork, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { createClient, isAnswer, type Client } from '../load.ts'
import { makeDashboard } from './heavy-dashboards.ts'
import { submitLarge, writeOut, type Call } from './heavy-answers.ts'
import { HEAVY_LIVE_SURVEYS, HEAVY_SURVEYS } from './heavy-surveys.ts'
import type { Order, Outcome, Report } from './heavy-process.ts'
import { chainOfFilters, type Targets } from './heavy-requests.ts'
import { createRig, createWorkspace, memoryOf } from '../rig.ts'
import { createJudge, quantile, type Given, type Verdict } from '../verdict.ts'

export interface AttackersSize {
  /** How often each request is sent while others are under way. */
  rounds: number
  /** Requests under way at once. */
  atOnce: number
  /** Every so many requests of the list are sent: 1 for all. */
  every: number
  /** Answers of 200 KB that a worker writes out. */
  answers: number
  /** Whether times and memory are judged: those of a machine that does other things too say nothing. */
  measured: boolean
}

const P99_MS = 100
const MEMORY_MB = 200
const PROBE_MS = 10
const WARM_MS = 5_000
const VERSIONS = 20

/**
 * Requests at their limits, each as costly as it can be made: none holds up the others, none is a server error, the
 * memory stays.
 */
export async function runAttackers({ databaseUrl, say }: Given, size: AttackersSize): Promise<Verdict> {
  const rig = await createRig(databaseUrl)
  const attackers = fork(new URL('heavy-process.ts', import.meta.url), { stdio: 'inherit' })
  // Both processes write there until they end.
  const [loop, ofWorker] = [await watchLoop(), await watchLoop()]
  try {
    const judge = createJudge()
    const { process: api, url } = await rig.serve({ ROLE: 'api', ...loop.settings })
    const { token, surveyPath } = await createWorkspace(url, [])
    const client = createClient({ timeoutMs: 60_000 })
    const call = callerOf(client, url, token)
    const large = await submitLarge(call, size.answers)
    const { principal } = await call('GET', '/v1/me')
    const dashboard = await makeDashboard((path, body) => call('POST', path, body), principal.id)
    const targets = { surveyId: surveyPath.split('/').at(-1) ?? '', dashboard, ...(await makeTargets(url, token)) }
    const ready = await tell(attackers, { attacked: { url, token, targets } })
    const parallel = 'names' in ready ? ready.parallel : {}
    let sentAlone = 0
    const names = ('names' in ready ? ready.names : []).filter((_, n) => n % size.every === 0)

    if (size.measured) await pause(WARM_MS)
    const probe = startProbe(url)
    await pause(size.measured ? WARM_MS : 100)
    const calm = probe.take()
    const before = memoryOf(api)
    let memory = before
    const sampler = setInterval(() => (memory = Math.max(memory, memoryOf(api))), 250)

    const outcomes: Outcome[] = []
    const worst: Array<{ name: string; ms: number; taken: number }> = []
    loop.take()
    for (const name of names) {
      say(`alone: ${name}`)
      if (process.env['EACH']) process.stdout.write(`${name} ${Math.round(memoryOf(api))} ${probe.failures}\n`)
      const times = parallel[name] ?? 1
      sentAlone += times
      const report = await tell(attackers, { send: Array.from({ length: times }, () => name), atOnce: times })
      if ('outcomes' in report) outcomes.push(...report.outcomes)
      await pause(2 * PROBE_MS)
      worst.push({
        name,
        ms: Math.max(0, ...loop.take()),
        taken: report && 'outcomes' in report ? (report.outcomes[0]?.ms ?? 0) : 0,
      })
    }
    say('all at once')
    const crowd = await tell(attackers, {
      send: Array.from({ length: size.rounds }, () => names).flat(),
      atOnce: size.atOnce,
    })
    if ('outcomes' in crowd) outcomes.push(...crowd.outcomes)
    const attacked = probe.take()
    const held = [...worst.map(({ ms }) => ms), ...loop.take()]
    clearInterval(sampler)
    await probe.stop()
    await writeOut({ rig, call, judge, say }, ofWorker, { ...large, reportId: targets.dashboard.reportId }, size)
    await client.close()

    const failures = outcomes.filter(({ status }) => typeof status !== 'number' || (status >= 500 && status !== 503))
    const p99 = quantile(attacked, 0.99)
    const [most] = worst.toSorted((a, b) => b.ms - a.ms)
    judge.must(
      'no request ends in a server error or without an answer',
      failures.length === 0,
      JSON.stringify(failures.slice(0, 5)),
    )
    const limited = outcomes.filter(({ status }) => status === 429).length
    judge.must('none is refused for its number', limited === 0, limited)
    judge.must('/health always answers', probe.failures.length === 0, probe.failures.join())
    judge.must('every request is answered', outcomes.length === names.length * size.rounds + sentAlone, outcomes.length)
    judge.must(`the p99 of /health stays within ${P99_MS} ms`, !size.measured || p99 <= P99_MS, `${p99.toFixed(1)} ms`)
    judge.must(
      `memory grows by no more than ${MEMORY_MB} MB`,
      !size.measured || memory - before <= MEMORY_MB,
      `${Math.round(before)} MB, then ${Math.round(memory)} MB`,
    )
    judge.fact('requests', `${names.length} kinds, ${outcomes.length} sent, ${size.atOnce} at once`)
    judge.fact('/health before: median, p99, most', figures(calm))
    judge.fact('/health meanwhile: median, p99, most', figures(attacked))
    judge.fact(
      'the longest step, in processor time',
      most ? `${Math.max(...held).toFixed(1)} ms; alone ${most.ms.toFixed(1)} ms, by ${most.name}` : 'none',
    )
    judge.fact('memory before and at most', `${Math.round(before)} and ${Math.round(memory)} MB`)
    if (process.env['EACH'])
      for (const { name, ms, taken } of worst.toSorted((a, b) => b.ms - a.ms))
        process.stdout.write(
          `${ms.toFixed(0).padStart(6)} ms of ${taken.toFixed(0).padStart(6)}  ${outcomes.find((one) => one.name === name)?.status}  ${name}\n`,
        )
    return judge.verdict()
  } finally {
    attackers.disconnect()
    await rig.stop()
    await Promise.all([loop.remove(), ofWorker.remove()])
  }
}

function callerOf(client: Client, url: string, token: string): Call {
  return async (method, path, body) => {
    const key = method === 'POST' ? randomUUID() : undefined
    const ask = () => client.call(method, url + path, { ...(body && { body }), token, ...(key && { key }) })
    let answer = await ask()
    // The server may close a connection that nobody used at the moment of a call.
    if (!isAnswer(answer) && answer.code === 'ECONNRESET' && !answer.begun) answer = await ask()
    if (isAnswer(answer) && answer.status < 300) return answer.body
    throw new Error(`${method} ${path} failed: ${JSON.stringify(answer).slice(0, 500)}`)
  }
}

/** How long the rounds of a process's event loop took, those of 20 ms and more. */
async function watchLoop(): Promise<{ settings: Record<string, string>; take(): number[]; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'ear-loop-'))
  const file = join(folder, 'rounds')
  await writeFile(file, '')
  let taken = 0
  return {
    settings: { NODE_OPTIONS: `--import=${new URL('loop-watch.ts', import.meta.url).href}`, LOOP_WATCH_FILE: file },
    take() {
      const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
      const fresh = lines.slice(taken).map(Number)
      taken = lines.length
      return fresh
    },
    remove: () => rm(folder, { recursive: true }),
  }
}

async function makeTargets(url: string, token: string): Promise<Omit<Targets, 'surveyId' | 'dashboard'>> {
  const client = createClient()
  const post = async (path: string, body: object): Promise<string> => {
    const answer = await client.call('POST', `${url}${path}`, { body, token })
    if (!isAnswer(answer) || answer.status !== 201)
      throw new Error(`POST ${path} failed: ${JSON.stringify(answer).slice(0, 500)}`)
    return answer.body.id as string
  }
  const drafts: Record<string, string> = {}
  for (const [name, make] of Object.entries(HEAVY_SURVEYS)) drafts[name] = await post('/v1/surveys', make())
  const previews: Record<string, string> = {}
  for (const [name, id] of Object.entries(drafts)) {
    const link = await client.call('POST', `${url}/v1/surveys/${id}/preview-links`, { body: {}, token })
    if (isAnswer(link) && link.status === 201) previews[name] = `/public/previews/${link.body.token}/sms`
  }
  const live: Record<string, string> = {}
  for (const [name, make] of Object.entries(HEAVY_LIVE_SURVEYS)) {
    // One that the rules refuse is no target.
    const made = await client.call('POST', `${url}/v1/surveys`, { body: make(), token })
    if (!isAnswer(made) || made.status !== 201) continue
    const id = made.body.id as string
    for (let version = 0; version < VERSIONS; version++)
      await client.call('POST', `${url}/v1/surveys/${id}/publish`, { body: {}, token })
    live[name] = id
  }
  const html = '<a href="{{ unsubscribe_url }}">x</a>'
  const templateId = await post('/v1/email-templates', {
    name: 'x',
    default_language: 'en',
    content: { en: { subject: 'x', html } },
  })
  const chainTemplateId = await post('/v1/email-templates', {
    name: 'x',
    default_language: 'en',
    content: { en: { subject: 'x', html: `${chainOfFilters()}${html}` } },
  })
  // Each text of an answer meets all these tests.
  const any = Array.from({ length: 50 }, (_, n) => ({ field: 'text', op: 'contains', value: `refund ${n}` }))
  await post('/v1/notification-subscriptions', { event: 'response.completed', channel: 'console', filter: { any } })
  // A rule asks of each answer whether its person is in these segments.
  const segments: string[] = []
  for (let n = 0; n < 10; n++)
    segments.push(await post('/v1/segments', { name: `Segment ${n}`, filter: { any: heavyTests(n) } }))
  const inSegments = { any: [{ field: 'segment_id', op: 'one_of', value: segments }] }
  await post('/v1/alert-rules', { name: 'x', trigger: { on: 'response', filter: inSegments } })
  await client.close()
  return { drafts, previews, live, templateId, chainTemplateId }
}

/** As many tests and values as a filter may have. */
function heavyTests(segment: number): object[] {
  return Array.from({ length: 50 }, (_, n) => ({
    field: 'language',
    op: 'one_of',
    value: Array.from({ length: 100 }, (__, value) => `${segment}-${n}-${value}`),
  }))
}

async function tell(attackers: ChildProcess, order: Order): Promise<Report> {
  attackers.send(order)
  const [report] = (await once(attackers, 'message')) as [Report]
  return report
}

/** Asks /health over and over, and notes how long each answer took. */
function startProbe(url: string): { take(): number[]; failures: string[]; stop(): Promise<void> } {
  const agent = new Agent({ connections: 1, pipelining: 1 })
  let times: number[] = []
  const failures: string[] = []
  let stopped = false
  const asking = (async () => {
    while (!stopped) {
      const started = performance.now()
      try {
        const answer = await request(`${url}/health`, { dispatcher: agent })
        await answer.body.dump()
      } catch (error) {
        failures.push((error as { code?: string }).code ?? 'error')
      }
      times.push(performance.now() - started)
      await pause(PROBE_MS)
    }
  })()
  return {
    take() {
      const taken = times
      times = []
      return taken
    },
    failures,
    async stop() {
      stopped = true
      await asking
      await agent.close()
    },
  }
}

function figures(times: number[]): string {
  return `${quantile(times, 0.5).toFixed(1)}, ${quantile(times, 0.99).toFixed(1)} and ${Math.max(0, ...times).toFixed(1)} ms`
}
