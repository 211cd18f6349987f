import type { Channel } from '../../../platform/ports/provider.ts'
import type { TenantTx, ReadTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { startSlices } from '../../../platform/loop/turns.ts'
import type { lockWorkspace } from '../../access/workspaces/workspaces.service.ts'
import { sealRecipient } from '../../delivery/sends/send-secrets.ts'
import { newSendId } from '../../delivery/sends/send.entity.ts'
import { insertSends, listWaiting, type NewSend, countContacts } from '../../delivery/sends/sends.service.ts'
import { opennessOf } from '../../surveys/surveys/openness.ts'
import type { readCurrentSurvey } from '../../surveys/surveys/published-surveys.service.ts'
import { maskAddress } from '../../trust/addresses/address.ts'
import { ensureAddressHash } from '../../trust/addresses/addresses.service.ts'
import type { findSender } from '../inbound-numbers/inbound-numbers.service.ts'
import { rememberRecipients } from '../people/recipients.service.ts'
import { listSuppressed } from '../suppression/suppression.service.ts'
import type { Candidate, Skipped, SkipReason } from './candidates.service.ts'
import { createTiming, timingRules } from '../quiet-hours/quiet-hours.ts'
import { recordMany } from '../../../platform/changes/changes.ts'

// Rows in one statement, because the driver writes its values without a break.
const BATCH = 1_000

/** The invitation, and what its decisions depend on. The workspace is locked. */
export interface Plan {
  invitationId: Id<'invitation'>
  surveyId: Id<'survey'>
  channel: Channel
  opening: Awaited<ReturnType<typeof readCurrentSurvey>>['opening']
  workspace: Awaited<ReturnType<typeof lockWorkspace>>
  sender: Awaited<ReturnType<typeof findSender>>
  sendAt: Date
  /** The survey is anonymous. */
  byDay: boolean
  /** Nothing is stored: only the decisions count. */
  isTrial?: boolean
}

/** Decides which candidates get a message and stores the messages. The others are added to `skipped`. */
export async function inviteCandidates(
  scope: Scope,
  tx: TenantTx,
  plan: Plan,
  candidates: Candidate[],
  skipped: Skipped,
): Promise<{ accepted: number; deferred: number }> {
  const { taken, deferred } = await choose(scope, tx, plan, candidates, skipped)
  const counts = { accepted: taken.length - deferred, deferred }
  if (plan.isTrial) return counts
  const { invitationId, surveyId, channel, workspace, byDay } = plan
  const now = scope.clock.now()
  const slices = startSlices()
  for (let at = 0; at < taken.length; at += BATCH) {
    const part = taken.slice(at, at + BATCH)
    const people = await rememberRecipients(scope, tx, channel, part, {
      remembers: workspace.remember_recipients,
    })
    const rows: NewSend[] = []
    for (const [index, person] of part.entries()) {
      if (slices.isOver()) await slices.next()
      const { id: personId = null, name = '' } = people[index] ?? {}
      rows.push(rowOf(scope, plan, { ...person, name, personId }))
    }
    await insertSends(tx, { invitationId, surveyId, channel, now, byDay, rows })
    const ids = byDay ? [] : rows.map(({ id }) => id)
    await recordMany(scope, tx, { topic: 'sends', type: 'created', kind: 'send', surveyId }, ids)
  }
  return counts
}

type Taken = Candidate & { sendAt: Date }

/** Decides which candidates get a message, and when. */
async function choose(
  scope: Scope,
  tx: TenantTx,
  { surveyId, channel, opening, workspace, sender, sendAt }: Plan,
  candidates: Candidate[],
  skipped: Skipped,
): Promise<{ taken: Taken[]; deferred: number }> {
  const hashes = candidates.map(({ hash }) => hash)
  const erased = await listErased(scope, tx, candidates)
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
      : erased.has(index)
        ? 'erased'
        : suppressed.has(hash)
          ? 'suppressed'
          : waiting.has(hash)
            ? 'duplicate'
            : contacts(hash)
              ? 'contact_frequency'
              : moment === null || (opening.closes_at !== null && moment >= opening.closes_at)
                ? 'quiet_hours'
                : null
    if (reason !== null || moment === null) {
      const { personId } = candidate
      skipped.push({ index, reason: reason ?? 'quiet_hours', contact: { address, hash }, personId })
      continue
    }
    if (moment > sendAt) deferred += 1
    taken.push({ ...candidate, sendAt: moment })
  }
  return { taken, deferred }
}

/** The candidates of whom any address was erased. */
async function listErased(scope: Scope, tx: TenantTx, candidates: Candidate[]): Promise<Set<number>> {
  const hashOf = await ensureAddressHash(scope, tx)
  const slices = startSlices()
  const found = new Set<number>()
  for (const [kind, channel] of [['email', 'email'] as const, ['phone', 'sms'] as const]) {
    const hashes = new Map<number, string>()
    for (const { index, contact } of candidates) {
      if (slices.isOver()) await slices.next()
      const address = contact[kind]
      if (address !== null) hashes.set(index, hashOf(channel, address))
    }
    if (hashes.size === 0) continue
    const reasons = await listSuppressed(tx, channel, [...hashes.values()])
    for (const [index, hash] of hashes) if (reasons.get(hash) === 'erasure') found.add(index)
  }
  return found
}

function rowOf({ secrets, clock }: Scope, { channel, byDay }: Plan, person: Taken): NewSend {
  const id = newSendId(clock.now(), byDay)
  const { address, contact, name, timezone, customData, personId } = person
  return {
    id,
    addressHash: person.hash,
    masked: maskAddress(channel, address),
    recipient: sealRecipient(secrets, id, { address, contact, name, timezone, customData }),
    language: person.language,
    agentId: person.agentId,
    personId,
    nextAttemptAt: person.sendAt,
  }
}

const DAY_MS = 86_400_000

/** The recent messages to each person, for the workspace's limit. */
export async function readContacts(
  tx: ReadTx,
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
