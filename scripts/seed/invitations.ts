import { submitResponse } from '../../src/features/answers/capture/capture.service.ts'
import { lockSend } from '../../src/features/delivery/sends/reports.service.ts'
import { readSendToken, sendToken } from '../../src/features/delivery/sends/send-secrets.ts'
import { stampSend } from '../../src/features/delivery/sends/sends.service.ts'
import { cancelInvitation } from '../../src/features/outreach/invitations/invitations.service.ts'
import { Invite } from '../../src/features/outreach/invitations/invitations.schema.ts'
import { invite } from '../../src/features/outreach/invitations/invite.service.ts'
import { recordReport } from '../../src/features/outreach/provider-reports/reports.service.ts'
import type { EmailMessage } from '../../src/platform/ports/email-port.ts'
import { parseId, type Id } from '../../src/platform/ids.ts'
import { ProviderError } from '../../src/platform/ports/provider.ts'
import { commentOf } from './texts.ts'
import type { DemoPerson } from './people.ts'
import { daysBefore, forEach, runSweep, type Stage } from './stage.ts'

const WAVES = [120, 90, 60, 30]
const WAVE = 450
const MINUTE_MS = 60_000

/** Invitations by mail on some days, with every outcome that a message can have. */
export async function inviteAll(stage: Stage): Promise<void> {
  const { services, chance, people, today, clock } = stage
  const sent: EmailMessage[] = []
  // Nothing leaves this machine: this provider takes every message, or refuses it.
  const email = {
    async send(message: EmailMessage) {
      if (chance.is(0.03)) throw new ProviderError('invalid_recipient', 'refused')
      sent.push(message)
      return { providerId: message.idempotencyKey }
    },
  }
  const { email: usual } = services.factories
  Object.assign(services.factories, { email: () => email })
  for (const [n, days] of WAVES.entries()) {
    const at = new Date(daysBefore(today, days).getTime() + 9 * 60 * MINUTE_MS)
    clock.set(at)
    await inviteSome(stage, at, people.slice(n * WAVE, (n + 1) * WAVE))
    await runSweep(stage, 'dispatch.email')
    const byAddress = new Map(people.map((person) => [person.email, person]))
    await forEach(sent.splice(0), (message) => follow(stage, at, message, byAddress.get(message.to)))
  }
  Object.assign(services.factories, { email: usual })
  await inviteLater(stage)
}

async function inviteSome({ owner, surveys }: Stage, at: Date, people: DemoPerson[], sendAt?: Date): Promise<string> {
  const recipients = people.map(({ email, name, language, timezone, attributes }) => ({
    email,
    name,
    language,
    timezone,
    custom_data: { plan: attributes.plan, country: attributes.country },
  }))
  const body = { channel: 'email', recipients, ...(sendAt && { send_at: sendAt.toISOString() }) }
  const { id = '' } = await invite(owner(at), surveys.purchase, Invite.parse(body))
  return id
}

// One that still waits, and one that somebody stopped.
async function inviteLater(stage: Stage): Promise<void> {
  const { people, today, owner } = stage
  const waiting = people.slice(WAVES.length * WAVE)
  await inviteSome(stage, today, waiting.slice(0, 60), daysBefore(today, -30))
  const stopped = parseId('invitation', await inviteSome(stage, today, waiting.slice(60, 90), daysBefore(today, -20)))
  if (stopped) await cancelInvitation(owner(today), stopped)
}

async function follow(stage: Stage, at: Date, message: EmailMessage, person: DemoPerson | undefined): Promise<void> {
  const { chance, system } = stage
  const ticket = readSendToken(system.secrets, 'delivery', message.tag ?? '')
  if (!ticket || chance.is(0.03)) return
  const later = (minutes: number) => new Date(at.getTime() + minutes * MINUTE_MS)
  const outcome = chance.next()
  await report(stage, ticket.id, message, outcome < 0.05 ? 'bounced' : 'delivered', later(1))
  if (outcome < 0.05) return
  if (outcome < 0.06) return report(stage, ticket.id, message, 'complained', later(30))
  if (!chance.is(0.6)) return
  const opened = chance.whole(5, 900)
  await stampAt(stage, ticket.id, 'opened', later(opened))
  if (!chance.is(0.6)) return
  await stampAt(stage, ticket.id, 'clicked', later(opened + 1))
  if (chance.is(0.85)) await answer(stage, ticket, later(opened + 3), person)
}

async function report(
  { respondent }: Stage,
  id: Id<'send'>,
  message: EmailMessage,
  kind: 'delivered' | 'bounced' | 'complained',
  at: Date,
): Promise<void> {
  const scope = respondent(at)
  await scope.tx(async (tx) => {
    const send = await lockSend(tx, id)
    if (send) await recordReport(scope, tx, send, { kind, providerId: message.idempotencyKey, at })
  })
}

async function stampAt({ respondent }: Stage, id: Id<'send'>, stamp: 'opened' | 'clicked', at: Date): Promise<void> {
  const scope = respondent(at)
  await scope.tx((tx) => stampSend(scope, tx, id, stamp, at))
}

async function answer(
  { chance, surveys, respondent }: Stage,
  ticket: Parameters<typeof sendToken>[2],
  at: Date,
  person: DemoPerson | undefined,
): Promise<void> {
  const scope = respondent(at)
  const score = chance.pick([10, 10, 9, 9, 9, 8, 8, 7, 6, 4, 1])
  const mood = score >= 9 ? 'good' : score >= 7 ? 'mixed' : 'bad'
  const language = person?.language ?? 'en'
  const completed = !chance.is(0.12)
  const why = commentOf(chance, { programme: 'purchase', language, mood, incident: null })
  await submitResponse(scope, surveys.purchase, {
    answers: { score, ...(completed && chance.is(0.5) && { why }) },
    customData: {},
    language,
    completed,
    channel: 'link',
    token: sendToken(scope.secrets, 'respond', ticket),
    device: undefined,
    startedAt: new Date(at.getTime() - chance.whole(9, 120) * 1_000),
  })
}
