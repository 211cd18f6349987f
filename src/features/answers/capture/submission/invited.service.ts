import type { ReadTx, TenantTx } from '../../../../platform/database/database.ts'
import type { Id } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { CustomData } from '../../../../survey-engine/model/definition.ts'
import type { ResponseRow } from '../../responses/responses.service.ts'
import { readCurrentSurvey } from '../../../surveys/surveys/published-surveys.service.ts'
import { hasFinished } from '../../responses/recording.service.ts'
import { invitedKey } from './dedupe.ts'
import { readSendToken } from '../../../delivery/sends/send-secrets.ts'
import { findInvited, findSendOfResponse, readRecipient, stampAnswered } from '../../../delivery/sends/sends.service.ts'
import { SEND_CHANNELS } from '../../../../platform/ports/provider.ts'

/** The recipient of an invitation, as far as the response needs it. */
export interface Invited {
  sendId: Id<'send'>
  channel: string
  agentId: Id<'agent'> | null
  personId: Id<'person'> | null
  customData: CustomData
  /** The same for an invitation and its reminders. */
  ticket: string
  firstSendId: Id<'send'>
  /** The response of this person, whichever message led to it. Of an anonymous survey nobody can find it. */
  responseId: Id<'response'> | null
  /** Whether this person has completed the survey. */
  answered: boolean
}

/** The recipient of an invitation's link to this survey. Null for any other token. */
export async function readInvited(
  scope: Scope,
  tx: ReadTx,
  surveyId: Id<'survey'>,
  token: string | undefined,
): Promise<Invited | null> {
  const ticket = token === undefined ? null : readSendToken(scope.secrets, 'respond', token)
  if (ticket?.tenantId !== scope.tenantId) return null
  const send = await findInvited(tx, ticket.id)
  if (!send || send.survey_id !== surveyId) return null
  const recipient = await readRecipient(scope, tx, send.id)
  return {
    sendId: send.id,
    channel: send.channel,
    agentId: send.agent_id,
    personId: send.person_id,
    customData: recipient?.customData ?? {},
    ticket: `send:${send.first_send_id}`,
    firstSendId: send.first_send_id,
    responseId: send.response_id,
    answered: send.by_day ? await hasAnswered(scope, tx, surveyId, `send:${send.first_send_id}`) : send.answered,
  }
}

// The send of an anonymous survey knows nothing. The response knows the ticket, under a key that only this server has.
async function hasAnswered(scope: Scope, tx: ReadTx, id: Id<'survey'>, ticket: string): Promise<boolean> {
  const { definition } = await readCurrentSurvey(scope, tx, id)
  const key = invitedKey(scope, { id, definition }, ticket)
  return key !== null && (await hasFinished(tx, id, key))
}

/** Whether a token is the link of an invitation. Its send may be gone. */
export function isInvitation(scope: Scope, token: string | undefined): token is string {
  return token !== undefined && readSendToken(scope.secrets, 'respond', token)?.tenantId === scope.tenantId
}

const CHANNELS: readonly string[] = SEND_CHANNELS

/** Whether an invitation led to this response. */
export async function isInvited(tx: ReadTx, { id, channel }: ResponseRow): Promise<boolean> {
  return CHANNELS.includes(channel) && (await findSendOfResponse(tx, id)) !== undefined
}

/**
 * The custom data that the respondent of a stored response may give: nothing that the invitation decided, nor another
 * agent. Once its person was erased, nothing that is stored.
 */
export async function exceptInvitation(
  scope: Scope,
  tx: ReadTx,
  row: ResponseRow,
  given: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  if (row.anonymity || !CHANNELS.includes(row.channel) || Object.keys(given).length === 0) return given
  const sendId = await findSendOfResponse(tx, row.id)
  if (!sendId) return given
  const decided = (await readRecipient(scope, tx, sendId))?.customData ?? row.custom_data
  return Object.fromEntries(
    Object.entries(given).filter(
      ([name]) => !Object.hasOwn(decided, name) && !(name === 'agent_id' && row.agent_id !== null),
    ),
  )
}

/** Reports the progress of a response to its invitation, if it has one. An anonymous one shows nothing. */
export async function tellInvitation(
  scope: Scope,
  tx: TenantTx,
  row: ResponseRow,
  invited?: Invited | null,
): Promise<void> {
  if (row.anonymity || !CHANNELS.includes(row.channel)) return
  const sendId = invited ? invited.sendId : await findSendOfResponse(tx, row.id)
  if (sendId) await stampAnswered(scope, tx, sendId, row)
}
