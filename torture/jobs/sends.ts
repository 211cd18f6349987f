import type { Channel } from '../../src/platform/ports/provider.ts'
import { parseId } from '../../src/platform/ids.ts'
import type { TestProcess } from '../../src/testing/process.ts'
import { createClient, isAnswer, until } from '../load.ts'
import { createRig, createWorkspace, type Rig } from '../rig.ts'
import { startProvider, type SendProvider } from './send-providers.ts'
import { createJudge, type Given, type Judge, type Verdict } from '../verdict.ts'

export interface SendsSize {
  /** By each channel. */
  kills: number
  /** People invited before each kill. */
  people: number
}

const CHANNELS: Channel[] = ['email', 'sms', 'voice']
// One workspace of a server has a number, and each channel is tried in one of its own.
const OUR_NUMBERS = { sms: '+15005550006', voice: '+15005550007' }
const SETTLED_MS = 60_000

/** `runSends` for each channel in turn. */
export async function runSendsByEach(given: Given, size: SendsSize): Promise<Verdict> {
  const judge = createJudge()
  for (const channel of CHANNELS) {
    const { facts, broken } = await runSends(
      { ...given, say: (line) => given.say(`${channel}: ${line}`) },
      channel,
      size,
    )
    for (const [name, value] of Object.entries(facts)) judge.fact(`${channel}: ${name}`, value)
    for (const guarantee of broken) judge.must(`${channel}: ${guarantee}`, false)
  }
  return judge.verdict()
}

/** SIGKILL between a provider's acceptance and the checkpoint: the recovery sweep heals each send, once. */
export async function runSends(
  { databaseUrl, random, say }: Given,
  channel: Channel,
  size: SendsSize,
): Promise<Verdict> {
  const rig = await createRig(databaseUrl)
  const provider = await startProvider(channel)
  const client = createClient()
  try {
    const judge = createJudge()
    const settings = { ...provider.settings, RECOVERY_SWEEP_SECONDS: '1' }
    let { process, url } = await rig.serve(settings)
    const { token, surveyPath } = await createWorkspace(url, [rig.receiver.url(0, 0)])
    const surveyId = surveyPath.split('/').at(-1) ?? ''
    const post = async (path: string, body: unknown) => {
      const answer = await client.call('POST', `${url}${path}`, { token, body })
      if (!isAnswer(answer) || answer.status >= 300) throw new Error(`POST ${path} failed: ${JSON.stringify(answer)}`)
    }
    if (channel !== 'email') await post('/v1/inbound-numbers', { number: OUR_NUMBERS[channel] })
    let interrupted = 0
    for (let n = 0; n < size.kills; n++) {
      const dead = killAfter(provider, process, Math.floor(random() * size.people))
      const recipients = Array.from({ length: size.people }, (_, person) =>
        recipient(channel, n * size.people + person),
      )
      await post(`/v1/surveys/${surveyId}/invite`, { channel, recipients })
      await dead
      interrupted += await endLeases(rig)
      const next = await rig.serve(settings)
      process = next.process
      url = next.url
      // Healed before the next blow, which is to meet its own people.
      if (!(await settled(rig))) break
      say(`kill ${n + 1} of ${size.kills}, ${provider.accepted().length} accepted`)
    }
    await process.kill('SIGTERM')
    judge.must('every send is settled', await settled(rig))
    await judgeSends(rig, provider, judge, parseId('survey', surveyId), size.kills * size.people)
    judge.must('kills met sends that were in doubt', interrupted >= size.kills, interrupted)
    judge.fact('kills', size.kills)
    judge.fact('sends in doubt after them', interrupted)
    judge.fact('requests to the provider', provider.requests())
    return judge.verdict()
  } finally {
    await client.close()
    await provider.close()
    await rig.stop()
  }
}

function recipient(channel: Channel, person: number): object {
  return channel === 'email' ? { email: `person-${person}@example.com` } : { phone: `+49151${10_000_000 + person}` }
}

function settled(rig: Rig): Promise<boolean> {
  return until(async () => {
    await endPauses(rig)
    return (await rig.look('select 1 from sends where next_attempt_at is not null')).length === 0
  }, SETTLED_MS)
}

/** Ends the process once the provider has taken so many more messages; the last of them is never answered. */
function killAfter(provider: SendProvider, process: TestProcess, more: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let left = more
  provider.whenAccepted(async () => {
    left -= 1
    if (left >= 0) return true
    await process.kill('SIGKILL')
    resolve()
    return false
  })
  return promise.then(() => provider.whenAccepted(null))
}

// Three minutes for the sends of the dead, and 45 seconds for their election as dispatcher, are too long to wait for.
async function endLeases(rig: Rig): Promise<number> {
  await rig.look('update sweeps set lease_until = now() where lease_until > now()')
  const rows = await rig.look(`update sends set lease_until = now() where status = 'calling' returning 1`)
  return rows.length
}

// And so is the minute before what the provider knows nothing of is sent again.
async function endPauses(rig: Rig): Promise<void> {
  await rig.look(`update sends set next_attempt_at = now() where status = 'queued' and next_attempt_at > now()`)
}

async function judgeSends(
  rig: Rig,
  provider: SendProvider,
  judge: Judge,
  surveyId: string | null,
  expected: number,
): Promise<void> {
  const [row] = await rig.look<
    Record<'sends' | 'accepted' | 'records' | 'sources' | 'events', number> & { ids: Array<string | null> }
  >(
    `select (select count(*)::int from sends where survey_id = $1) as sends,
      (select count(*)::int from sends where survey_id = $1 and accepted_at is not null) as accepted,
      (select array_agg(provider_id) from sends where survey_id = $1) as ids,
      (select count(*)::int from survey_deliveries where survey_id = $1) as records,
      (select count(distinct source)::int from survey_deliveries where survey_id = $1) as sources,
      (select count(*)::int from events where survey_id = $1 and type = 'survey.sent') as events`,
    [surveyId],
  )
  judge.must('each person has one send', row?.sends === expected, row?.sends)
  judge.must('each send is accepted', row?.accepted === expected, row?.accepted)
  judge.must(
    'each send has exactly one delivery record',
    row?.records === expected && row.sources === expected,
    row?.records,
  )
  judge.must('each send has exactly one survey.sent', row?.events === expected, row?.events)
  const accepted = provider.accepted()
  judge.must('the provider accepted each once', accepted.length === expected, accepted.length)
  const people = new Set(accepted.map(({ to }) => to))
  judge.must('everybody got one', people.size === expected, people.size)
  const known = new Set(row?.ids)
  judge.must(
    'each send knows what the provider calls it',
    known.size === expected && accepted.every(({ id }) => known.has(id)),
    known.size,
  )
  judge.fact('sends', row?.sends ?? 0)
}
