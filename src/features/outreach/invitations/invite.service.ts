import type { z } from 'zod'
import { unprocessable, type Issue } from '../../../http/problem.ts'
import { auditOf } from '../../../platform/audit.ts'
import type { Channel } from '../../../platform/channel.ts'
import type { TenantTx } from '../../../platform/database.ts'
import { formatId, newId, parseId, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { SWEEPS } from '../../../platform/sweeps.ts'
import { startSlices } from '../../../platform/turns.ts'
import { readCustomData } from '../../../survey-engine/logic/custom-data.ts'
import type { CustomData, SurveyDefinition } from '../../../survey-engine/model/definition.ts'
import { maskAddress, parseAddress } from '../../trust/addresses/address.ts'
import { ensureAddressHash } from '../../trust/addresses/addresses.service.ts'
import { requireEmailTemplate } from '../email-templates/email-templates.service.ts'
import { findSender } from '../inbound-numbers/inbound-numbers.service.ts'
import { sealRecipient } from '../../delivery/sends/recipient.ts'
import { countContacts, insertSends, listWaiting, type NewSend } from '../../delivery/sends/sends.service.ts'
import { listSuppressed } from '../suppression/suppression.service.ts'
import { resolveAgents } from '../../surveys/agents/naming.service.ts'
import { UNKNOWN_AGENT } from '../../surveys/agents/unknown-agent.ts'
import { opennessOf } from '../../surveys/surveys/openness.ts'
import { readCurrentSurvey } from '../../surveys/surveys/published-surveys.service.ts'
import { lockWorkspace } from '../../access/workspaces/workspaces.service.ts'
import type { Invite, InviteResult, SKIP_REASONS } from './invitations.schema.ts'
import * as store from './invitations.store.ts'
import { createTiming, isTimezone, timingRules } from './timing.ts'

const audited = auditOf('invitation')

type Body = Pick<
  z.output<typeof Invite>,
  'channel' | 'recipients' | 'segment_id' | 'template_id' | 'send_at' | 'reminders'
>
type Given = NonNullable<Body['recipients']>[number]
type SkipReason = (typeof SKIP_REASONS)[number]

const DAY_MS = 86_400_000
const MOST_ISSUES = 100
// Rows in one statement, because the driver writes its values without a break.
const BATCH = 1_000

/** A recipient whose own data is acceptable. */
interface Candidate {
  index: number
  address: string
  hash: string
  name: string
  language: string | null
  timezone: string | null
  customData: CustomData
  agentId: Id<'agent'> | null
}

/**
 * Accepts an invitation to a survey. It decides now who gets a message, and stores that with the reasons in one
 * transaction. The sending follows in the background.
 * @throws Problem 404 for an unknown survey; 422 for an unknown or invalid template, number, agent, field or time.
 */
export async function invite(scope: Scope, surveyId: Id<'survey'>, body: Body): Promise<z.input<typeof InviteResult>> {
  if (body.segment_id !== undefined)
    throw unprocessable('unknown_segment', [{ path: 'segment_id', message: 'There is no such segment.' }])
  const given = body.recipients ?? []
  const now = scope.clock.now()
  const sendAt = body.send_at && body.send_at > now ? body.send_at : now
  if (sendAt.getTime() > now.getTime() + 366 * DAY_MS)
    throw unprocessable('send_at_too_late', [{ path: 'send_at', message: 'Choose a time within a year.' }])
  const templateId = readTemplateId(body)

  return scope.tx(async (tx) => {
    // Parallel calls decide one after the other, so that no person is invited twice.
    const workspace = await lockWorkspace(tx)
    const survey = await readCurrentSurvey(scope, tx, surveyId)
    if (templateId !== null) await requireEmailTemplate(tx, templateId)
    const sender = body.channel === 'email' ? null : await findSender(tx, body.channel, null)
    if (body.channel !== 'email' && !sender) {
      throw unprocessable('no_sender_number', [
        {
          path: 'channel',
          message: `Add a number with the capability ${body.channel} first: POST /v1/inbound-numbers.`,
        },
      ])
    }
    const skipped: Array<{ index: number; reason: SkipReason }> = []
    const candidates = await readCandidates(scope, tx, survey.definition, body.channel, given, skipped)
    const { taken, deferred } = await choose(
      tx,
      { surveyId, channel: body.channel, opening: survey.opening, workspace, sender, sendAt, candidates },
      skipped,
    )
    skipped.sort((a, b) => a.index - b.index)

    const invitation: store.InvitationRow = {
      id: newId('invitation'),
      survey_id: surveyId,
      channel: body.channel,
      template_id: templateId,
      send_at: sendAt,
      reminders: body.reminders,
      accepted: taken.length - deferred,
      deferred,
      skipped: Object.fromEntries(
        [...Map.groupBy(skipped, ({ reason }) => reason)].map(([reason, rows]) => [reason, rows.length]),
      ),
      created_at: now,
      cancelled_at: null,
    }
    const { principal } = scope
    await store.insertInvitation(tx, invitation, 'id' in principal ? `${principal.type}:${principal.id}` : null)
    const slices = startSlices()
    for (let at = 0; at < taken.length; at += BATCH) {
      const rows: NewSend[] = []
      for (const person of taken.slice(at, at + BATCH)) {
        if (slices.isOver()) await slices.next()
        rows.push(rowOf(scope, body.channel, person))
      }
      await insertSends(tx, { invitationId: invitation.id, surveyId, channel: body.channel, now, rows })
    }
    audited(scope, tx, 'create', invitation.id, {
      changes: [
        { path: 'survey_id', to: formatId('survey', surveyId) },
        { path: 'channel', to: body.channel },
        { path: 'accepted', to: invitation.accepted },
        { path: 'deferred', to: deferred },
        { path: 'skipped', to: skipped.length },
      ],
    })
    if (taken.length > 0) scope.wakeAfter(tx, SWEEPS, { group: '', ids: [] })
    return { id: formatId('invitation', invitation.id), accepted: invitation.accepted, deferred, skipped }
  })
}

/** @throws Problem 404 for a survey of another workspace. */
export async function requireSurvey(scope: Scope, id: Id<'survey'>): Promise<void> {
  await scope.read((tx) => readCurrentSurvey(scope, tx, id))
}

function readTemplateId({ channel, template_id }: Body): Id<'template'> | null {
  if (template_id === undefined) return null
  if (channel !== 'email')
    throw unprocessable('template_without_email', [
      { path: 'template_id', message: 'Only emails have a template. Leave it out.' },
    ])
  const id = parseId('template', template_id)
  if (id === null)
    throw unprocessable('unknown_template', [{ path: 'template_id', message: 'There is no such template.' }])
  return id
}

/** The recipients with a valid address, each once. @throws Problem 422 for data that no survey accepts. */
async function readCandidates(
  scope: Scope,
  tx: TenantTx,
  definition: SurveyDefinition,
  channel: Channel,
  given: Given[],
  skipped: Array<{ index: number; reason: SkipReason }>,
): Promise<Candidate[]> {
  const hashOf = await ensureAddressHash(scope, tx)
  const agentOf = await resolveAgents(
    scope,
    tx,
    given.flatMap(({ agent_id }) => agent_id ?? []),
  )
  const issues: Issue[] = []
  const met = new Set<string>()
  const candidates: Candidate[] = []
  const slices = startSlices()
  for (const [index, recipient] of given.entries()) {
    if (slices.isOver()) await slices.next()
    const agent = recipient.agent_id === undefined ? 'none' : agentOf(recipient.agent_id)
    if (agent === 'unknown') issues.push({ path: `recipients.${index}.agent_id`, message: UNKNOWN_AGENT })
    if (recipient.timezone !== undefined && !isTimezone(recipient.timezone))
      issues.push({ path: `recipients.${index}.timezone`, message: 'Use an IANA name, such as Europe/Berlin.' })
    const custom = readCustomData(definition, recipient.custom_data)
    issues.push(...custom.issues.map(({ path, message }) => ({ path: `recipients.${index}.${path}`, message })))
    if (issues.length >= MOST_ISSUES) break

    const address = parseAddress(channel, (channel === 'email' ? recipient.email : recipient.phone) ?? '')
    if (address === null) skipped.push({ index, reason: 'invalid_address' })
    else if (met.has(address)) skipped.push({ index, reason: 'duplicate' })
    else {
      met.add(address)
      candidates.push({
        index,
        address,
        hash: hashOf(channel, address),
        name: oneLine(recipient.name ?? ''),
        language: recipient.language ?? null,
        timezone: recipient.timezone ?? null,
        customData: custom.values,
        agentId: agent === 'none' || agent === 'unknown' ? null : agent,
      })
    }
  }
  if (issues.length > 0)
    throw unprocessable(
      'invalid_recipients',
      issues.slice(0, MOST_ISSUES),
      'Some recipients have wrong data. `issues` has the details. Nobody was invited.',
    )
  return candidates
}

interface Choice {
  surveyId: Id<'survey'>
  channel: Channel
  opening: Awaited<ReturnType<typeof readCurrentSurvey>>['opening']
  workspace: Awaited<ReturnType<typeof lockWorkspace>>
  sender: Awaited<ReturnType<typeof findSender>>
  sendAt: Date
  candidates: Candidate[]
}

type Taken = Candidate & { sendAt: Date }

/** Decides which candidates get a message, and when. */
async function choose(
  tx: TenantTx,
  { surveyId, channel, opening, workspace, sender, sendAt, candidates }: Choice,
  skipped: Array<{ index: number; reason: SkipReason }>,
): Promise<{ taken: Taken[]; deferred: number }> {
  const hashes = candidates.map(({ hash }) => hash)
  const [suppressed, waiting, contacts] = [
    await listSuppressed(tx, channel, hashes),
    await listWaiting(tx, surveyId, channel, hashes),
    await readContacts(tx, workspace.contact_frequency, sendAt, hashes),
  ]
  const timing = createTiming(timingRules(workspace, sender), sendAt)
  const open = opennessOf(opening, sendAt) === 'open'
  const taken: Taken[] = []
  let deferred = 0
  const slices = startSlices()
  for (const candidate of candidates) {
    if (slices.isOver()) await slices.next()
    const { index, hash, address, timezone } = candidate
    const moment = timing(channel, address, timezone)
    const reason: SkipReason | null = !open
      ? 'survey_not_live'
      : suppressed.has(hash)
        ? suppressed.get(hash) === 'erasure'
          ? 'erased'
          : 'suppressed'
        : waiting.has(hash)
          ? 'duplicate'
          : contacts(hash)
            ? 'contact_frequency'
            : moment === null || (opening.closes_at !== null && moment >= opening.closes_at)
              ? 'quiet_hours'
              : null
    if (reason !== null || moment === null) {
      skipped.push({ index, reason: reason ?? 'quiet_hours' })
      continue
    }
    if (moment > sendAt) deferred += 1
    taken.push({ ...candidate, sendAt: moment })
  }
  return { taken, deferred }
}

/** The recent messages to each person, for the workspace's limit. */
async function readContacts(
  tx: TenantTx,
  rule: { max_contacts: number; per_days: number } | null,
  sendAt: Date,
  hashes: string[],
): Promise<(hash: string) => boolean> {
  if (rule === null) return () => false
  const [since, until] = [-1, 1].map((sign) => new Date(sendAt.getTime() + sign * rule.per_days * DAY_MS)) as [
    Date,
    Date,
  ]
  const counts = new Map(
    (await countContacts(tx, hashes, since, until)).map(({ address_hash, count }) => [address_hash, count]),
  )
  return (hash) => (counts.get(hash) ?? 0) >= rule.max_contacts
}

function rowOf(scope: Scope, channel: Channel, person: Taken): NewSend {
  const id = newId('send')
  const { address, name, timezone, customData } = person
  return {
    id,
    addressHash: person.hash,
    masked: maskAddress(channel, address),
    recipient: sealRecipient(scope.secrets, id, { address, name, timezone, customData }),
    language: person.language,
    agentId: person.agentId,
    nextAttemptAt: person.sendAt,
  }
}

/** Turns control characters and line ends into spaces, because a name is used in headers and spoken text. */
function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
