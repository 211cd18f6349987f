import type { z } from 'zod'
import { unprocessable, type Issue } from '../../../http/problems/problem.ts'
import type { Channel } from '../../../platform/ports/provider.ts'
import type { TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import { oneLine } from '../../../platform/text/names.ts'
import type { Scope } from '../../../platform/scope.ts'
import { startSlices } from '../../../platform/loop/turns.ts'
import { readCustomData } from '../../../survey-engine/logic/custom-data.ts'
import type { CustomData, SurveyDefinition } from '../../../survey-engine/model/definition.ts'
import { parseAddress } from '../../trust/addresses/address.ts'
import { ensureAddressHash } from '../../trust/addresses/addresses.service.ts'
import { listReachable } from '../people/recipients.service.ts'
import { resolveAgents, UNKNOWN_AGENT } from '../../surveys/agents/naming.service.ts'
import type { Invite, SKIP_REASONS } from './invitations.schema.ts'
import { zoneNamed } from '../../../platform/time-zones.ts'

export type SkipReason = (typeof SKIP_REASONS)[number]
/** Recipients who get no message. One without `contact` has no address. */
export type Skipped = Array<{
  index: number
  reason: SkipReason
  contact?: { address: string; hash: string }
  personId?: Id<'person'> | null
}>
type Given = NonNullable<z.output<typeof Invite>['recipients']>[number]

const MOST_ISSUES = 100

/** A recipient whose own data is acceptable. */
export interface Candidate {
  index: number
  address: string
  hash: string
  contact: { email: string | null; phone: string | null }
  name: string
  language: string | null
  timezone: string | null
  customData: CustomData
  /** The record of the person, if it is known by now. */
  personId: Id<'person'> | null
  agentId: Id<'agent'> | null
}

/** The recipients with a valid address, each once. @throws Problem 422 for data that no survey accepts. */
export async function readCandidates(
  scope: Scope,
  tx: TenantTx,
  definition: SurveyDefinition,
  channel: Channel,
  given: Given[],
  skipped: Skipped,
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
    const timezone = recipient.timezone === undefined ? null : zoneNamed(recipient.timezone)
    if (recipient.timezone !== undefined && timezone === null)
      issues.push({ path: `recipients.${index}.timezone`, message: 'Use an IANA name, such as Europe/Berlin.' })
    const custom = readCustomData(definition, recipient.custom_data)
    issues.push(...custom.issues.map(({ path, message }) => ({ path: `recipients.${index}.${path}`, message })))
    if (issues.length >= MOST_ISSUES) break

    const contact = {
      email: recipient.email === undefined ? null : parseAddress('email', recipient.email),
      phone: recipient.phone === undefined ? null : parseAddress('sms', recipient.phone),
    }
    const address = channel === 'email' ? contact.email : contact.phone
    if (address === null) skipped.push({ index, reason: 'invalid_address' })
    else if (met.has(address))
      skipped.push({ index, reason: 'duplicate', contact: { address, hash: hashOf(channel, address) } })
    else {
      met.add(address)
      candidates.push({
        index,
        address,
        hash: hashOf(channel, address),
        contact,
        name: oneLine(recipient.name ?? ''),
        language: recipient.language ?? null,
        timezone,
        // It would come back with the answers of an anonymous person.
        customData: definition.privacy === 'anonymous' ? {} : custom.values,
        personId: null,
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

/** The same of people whom the workspace knows. The others are skipped. */
export async function candidatesAmong(
  scope: Scope,
  tx: TenantTx,
  channel: Channel,
  members: Array<{ position: number; person_id: Id<'person'> }>,
  skipped: Skipped,
): Promise<Candidate[]> {
  const people = await listReachable(
    scope,
    tx,
    members.map(({ person_id }) => person_id),
  )
  const hashOf = await ensureAddressHash(scope, tx)
  return members.flatMap(({ position: index, person_id }): Candidate[] => {
    const person = people.get(person_id)
    const address = channel === 'email' ? person?.email : person?.phone
    if (!person || !address) {
      // A person who is gone by now was deleted or erased.
      skipped.push({ index, reason: person ? 'invalid_address' : 'erased', personId: person ? person_id : null })
      return []
    }
    const { email, phone, name, language, timezone } = person
    const hash = hashOf(channel, address)
    return [
      {
        index,
        address,
        hash,
        contact: { email, phone },
        name: name ?? '',
        language,
        timezone,
        customData: {},
        agentId: null,
        personId: person_id,
      },
    ]
  })
}
