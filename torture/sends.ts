import { startFakeResend, type FakeResend } from '../src/testing/fake-resend.ts'
import type { TestProcess } from '../src/testing/process.ts'
import { createClient, isAnswer, until } from './load.ts'
import { createRig, createWorkspace, type Rig } from './rig.ts'
import { createJudge, type Given, type Verdict } from './verdict.ts'

export interface SendsSize {
  kills: number
  /** People invited before each kill. */
  people: number
}

const SETTLED_MS = 60_000

/** SIGKILL between a provider's acceptance and the checkpoint: the recovery sweep heals each send, once. */
export async function runSends({ databaseUrl, random, say }: Given, size: SendsSize): Promise<Verdict> {
  const rig = await createRig(databaseUrl)
  const resend = await startFakeResend()
  try {
    const judge = createJudge()
    const settings = {
      EMAIL_PROVIDER: 'resend',
      RESEND_API_KEY: resend.apiKey,
      RESEND_BASE_URL: resend.url,
      EMAIL_RATE_PER_SECOND: '1000',
      RECOVERY_SWEEP_SECONDS: '1',
    }
    let { process, url } = await rig.serve(settings)
    const { token, surveyPath } = await createWorkspace(url, [rig.receiver.url(0, 0)])
    const surveyId = surveyPath.split('/').at(-1) ?? ''
    const client = createClient()
    let interrupted = 0
    for (let n = 0; n < size.kills; n++) {
      const dead = killAfter(resend, process, Math.floor(random() * size.people))
      const recipients = Array.from({ length: size.people }, (_, person) => ({ email: `person-${n}-${person}@example.com` }))
      const answer = await client.call('POST', `${url}/v1/surveys/${surveyId}/invite`, { token, body: { channel: 'email', recipients } })
      if (!isAnswer(answer) || answer.status !== 202) throw new Error(`the invitation failed: ${JSON.stringify(answer)}`)
      await dead
      interrupted += await endLeases(rig)
      const next = await rig.serve(settings)
      process = next.process
      url = next.url
      // Healed before the next blow, which is to meet its own people.
      if (!(await settled(rig))) break
      say(`kill ${n + 1} of ${size.kills}, ${resend.emails.length} accepted`)
    }
    await process.kill('SIGTERM')
    await client.close()
    judge.must('every send is settled', await settled(rig))
    await judgeSends(rig, resend, judge, size.kills * size.people)
    judge.must('kills met sends that were in doubt', interrupted >= size.kills, interrupted)
    judge.fact('kills', size.kills)
    judge.fact('sends in doubt after them', interrupted)
    judge.fact('requests to the provider', resend.requests)
    return judge.verdict()
  } finally {
    await resend.close()
    await rig.stop()
  }
}

function settled(rig: Rig): Promise<boolean> {
  return until(async () => (await rig.look('select 1 from sends where next_attempt_at is not null')).length === 0, SETTLED_MS)
}

/** Ends the process once the provider has taken so many more messages; the last of them is never answered. */
function killAfter(resend: FakeResend, process: TestProcess, more: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let left = more
  resend.onAccepted = async () => {
    left -= 1
    if (left >= 0) return true
    await process.kill('SIGKILL')
    resolve()
    return false
  }
  return promise.then(() => {
    resend.onAccepted = null
  })
}

// Two minutes for the sends of the dead, and 45 seconds for their election as dispatcher, are too long to wait for.
async function endLeases(rig: Rig): Promise<number> {
  await rig.look('update sweeps set lease_until = now() where lease_until > now()')
  const rows = await rig.look(`update sends set lease_until = now() where status = 'calling' returning 1`)
  return rows.length
}

async function judgeSends(rig: Rig, resend: FakeResend, judge: ReturnType<typeof createJudge>, expected: number): Promise<void> {
  const [row] = await rig.look<Record<'sends' | 'accepted' | 'records' | 'sources' | 'events', number>>(`
    select (select count(*)::int from sends) as sends, (select count(*)::int from sends where accepted_at is not null) as accepted,
      (select count(*)::int from survey_deliveries) as records, (select count(distinct source)::int from survey_deliveries) as sources,
      (select count(*)::int from events where type = 'survey.sent') as events`)
  judge.must('each person has one send', row?.sends === expected, row?.sends)
  judge.must('each send is accepted', row?.accepted === expected, row?.accepted)
  judge.must('each send has exactly one delivery record', row?.records === expected && row.sources === expected, row?.records)
  judge.must('each send has exactly one survey.sent', row?.events === expected, row?.events)
  judge.must('the provider accepted each once', resend.emails.length === expected, resend.emails.length)
  const people = new Set(resend.emails.flatMap(({ to }) => to))
  judge.must('everybody got one', people.size === expected, people.size)
  judge.fact('sends', row?.sends ?? 0)
}
