import { setTimeout as pause } from 'node:timers/promises'
import { createClient, isAnswer, until } from '../load.ts'
import { createRig, createWorkspace, type Rig } from '../rig.ts'
import { createJudge, type Given, type Verdict } from '../verdict.ts'

export interface ErasuresSize {
  kills: number
  /** People whose erasure is under way at each kill. */
  people: number
  /** Responses of each person. */
  responses: number
}

// An erasure of a few people takes about so long, so a kill meets any of its steps.
const LONGEST_MS = 1_500
const END_MS = 60_000

/** SIGKILLs in the middle of erasures: each ends, and nothing of its person is left in any table. */
export async function runErasures({ databaseUrl, random, say }: Given, size: ErasuresSize): Promise<Verdict> {
  const rig = await createRig(databaseUrl)
  try {
    const judge = createJudge()
    let running = await rig.serve({ ROLE: 'all' })
    const { token, submitPath } = await createWorkspace(running.url, [rig.receiver.url(0)])
    const client = createClient({ timeoutMs: 20_000 })
    const call = async (method: 'GET' | 'POST', path: string, body?: object) => {
      const options = { ...(body && { body }), ...(path.startsWith('/v1') && { token }) }
      const answer = await client.call(method, `${running.url}${path}`, options)
      if (!isAnswer(answer) || answer.status >= 300)
        throw new Error(`${method} ${path} failed: ${JSON.stringify(answer)}`)
      return answer.body
    }
    const requests: string[] = []
    let interrupted = 0
    for (let kill = 0; kill < size.kills; kill++) {
      const emails = Array.from({ length: size.people }, (_, n) => `planted.${kill}.${n}@example.com`)
      for (const email of emails)
        for (let n = 0; n < size.responses; n++)
          await call('POST', submitPath, { answers: { q1: 9, q2: `I am ${email} of the lighthouse` } })
      for (const email of emails)
        requests.push((await call('POST', '/v1/gdpr/requests', { kind: 'erasure', subject: { email } })).id)
      await pause(random() * LONGEST_MS)
      await running.process.kill('SIGKILL')
      interrupted += (await rig.look(`select 1 from privacy_requests where next_at is not null`)).length
      await endLeases(rig)
      running = await rig.serve({ ROLE: 'all' })
      say(`kill ${kill + 1} of ${size.kills}, ${interrupted} erasures interrupted`)
    }
    const ended = await until(
      async () => (await rig.look(`select 1 from privacy_requests where status <> 'completed'`)).length === 0,
      END_MS,
    )
    judge.must('every erasure is completed', ended)
    const certificates = await Promise.all(requests.map((id) => call('GET', `/v1/gdpr/requests/${id}/certificate`)))
    const wrong = certificates.filter(
      ({ erased }) => erased.responses !== size.responses || erased.events !== size.responses,
    )
    judge.must('each certificate counts each row once', wrong.length === 0, JSON.stringify(wrong[0]?.erased))
    const left = await tracesIn(rig)
    judge.must('no table holds anything of an erased person', left.length === 0, left[0])
    const scores = await rig.look(`select 1 from responses where score = 9`)
    judge.must('every score stays', scores.length === requests.length * size.responses)
    judge.must('a kill met an erasure', interrupted > 0)
    judge.fact('kills', size.kills)
    judge.fact('erasures', requests.length)
    judge.fact('interrupted', interrupted)
    await client.close()
    return judge.verdict()
  } finally {
    await rig.stop()
  }
}

/** Ends the leases of the process that died, instead of waiting a minute. */
async function endLeases(rig: Rig): Promise<void> {
  await rig.look('update privacy_requests set next_at = now() where next_at is not null returning id')
  await rig.look('update sweeps set lease_until = null, lease_token = null, next_at = now() returning name')
}

async function tracesIn(rig: Rig): Promise<string[]> {
  const tables = await rig.look<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r' and n.nspname = 'public'`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await rig.look<{ text: string }>(
      `select to_jsonb(t)::text as text from ${name} t where to_jsonb(t)::text ~ 'planted|lighthouse'`,
    )
    found.push(...rows.map(({ text }) => `${name}: ${text}`))
  }
  return found
}
