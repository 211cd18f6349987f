import type { z } from 'zod'
import type { AppContext } from '../../../http/context.ts'
import { MIB, readBody } from '../../../http/bodies/body.ts'
import { pageRequest } from '../../../http/routes/pagination.ts'
import { badRequest, Problem } from '../../../http/problems/problem.ts'
import { parseBody } from '../../../http/bodies/parse-body.ts'
import { tenantRoute } from '../../../http/routes/route.ts'
import { readAsking } from './contact-frequency.service.ts'
import { explainInvitation } from './explain.service.ts'
import { cancelInvitation, getInvitation, listInvitations } from './invitations.service.ts'
import {
  ExplainInvitationQuery,
  InvitationExplanation,
  PersonAsking,
  Invitation,
  InvitationList,
  InvitationQuery,
  Invite,
  InviteCsvQuery,
  InviteResult,
  RecipientsCsv,
  SkippedList,
  SkippedQuery,
} from './invitations.schema.ts'
import { callerGone } from '../../../http/context.ts'
import { invite, requireSurvey } from './invite.service.ts'
import { listSkipped } from './skips.service.ts'
import { readRecipients } from './recipients-csv.ts'

const tag = 'Sending'
const permission = 'dispatch.send'
const BODY_LIMIT = 10 * MIB
const DRY_RUN = { status: 200, description: 'A dry run: nothing was stored or sent.' }
const REFUSED = {
  422:
    'A template, segment, agent, time zone or custom field is unknown to the workspace. `no_sender_number`: the ' +
    'workspace has no number for SMS or calls. `send_at` is more than a year ahead. Nobody was invited.',
}

export const inviteRoute = tenantRoute({
  method: 'post',
  path: '/surveys/:id/invite',
  operationId: 'inviteToSurvey',
  summary: 'Send a survey to people by email, SMS or phone',
  description:
    'The answer says who gets a message. The messages go out in the background, as fast as the provider takes them: ' +
    'see `GET /v1/invitations/{id}`. Each address gets one message. Repeats in the list are skipped as ' +
    '`duplicate`, and so are people who already wait for this survey.',
  tag,
  permission,
  params: { id: 'survey' },
  body: Invite,
  bodyLimit: BODY_LIMIT,
  example: {
    channel: 'email',
    recipients: [{ email: 'grace@example.com', name: 'Grace', language: 'en', custom_data: { plan: 'pro' } }],
    reminders: [{ after_hours: 72 }],
  },
  audit: ['invitation.create'],
  response: { status: 202, schema: InviteResult, also: DRY_RUN },
  problems: REFUSED,
  handler: async (scope, { params: { id }, body, c }) => answer(c, await invite(scope, id, body, callerGone(c))),
})

export const inviteByCsvRoute = tenantRoute({
  method: 'post',
  path: '/surveys/:id/invite/csv',
  operationId: 'inviteToSurveyByCsv',
  summary: 'Send a survey to the people in a CSV file',
  description:
    'Send the file as `Content-Type: text/csv`, at most 10 MiB. The first line names the columns: `email` or ' +
    '`phone`, and optionally `name`, `language`, `timezone`, `agent_id`, and `custom.<field>` for custom data. ' +
    '`index` in the answer counts the lines below it, from 0.',
  tag,
  permission,
  params: { id: 'survey' },
  find: (scope, { id }) => requireSurvey(scope, id),
  query: InviteCsvQuery,
  exampleQuery: { channel: 'email' },
  bodyLimit: BODY_LIMIT,
  headers: ['content-type'],
  rawBody: { 'text/csv': RecipientsCsv },
  audit: ['invitation.create'],
  response: { status: 202, schema: InviteResult, also: DRY_RUN },
  problems: {
    ...REFUSED,
    400: 'The file is not a CSV, or has no column for the channel.',
    415: 'The content type is not text/csv.',
  },
  async handler(scope, { params: { id }, query, c }) {
    const bytes = await readBody(c.req.raw, BODY_LIMIT)
    const type = c.req.header('content-type') ?? ''
    if (!/^text\/csv\b/i.test(type)) {
      throw new Problem(415, 'unsupported_media_type', {
        detail: 'Send the file as `Content-Type: text/csv`. Save a workbook as CSV UTF-8 first.',
      })
    }
    const { recipients, issues } = await readRecipients(bytes, type)
    if (issues.length > 0) throw badRequest(issues)
    const reminders = (query.reminder_after_hours?.split(',') ?? []).map((hours) => ({ after_hours: Number(hours) }))
    const body = await parseBody(Invite, {
      channel: query.channel,
      name: query.name,
      recipients,
      template_id: query.template_id,
      send_at: query.send_at?.toISOString(),
      reminders,
      dry_run: query.dry_run,
    })
    return answer(c, await invite(scope, id, body, callerGone(c)))
  },
})

function answer(c: AppContext, result: z.input<typeof InviteResult>) {
  return result.dry_run ? c.json(result, 200) : result
}

export const listInvitationsRoute = tenantRoute({
  method: 'get',
  path: '/invitations',
  operationId: 'listInvitations',
  summary: 'List invitations to surveys, newest first',
  tag,
  query: InvitationQuery,
  response: { status: 200, schema: InvitationList },
  handler: (scope, { query }) => listInvitations(scope, query, pageRequest(query)),
})

export const getInvitationRoute = tenantRoute({
  method: 'get',
  path: '/invitations/:id',
  operationId: 'getInvitation',
  summary: 'Read an invitation and its progress',
  tag,
  params: { id: 'invitation' },
  response: { status: 200, schema: Invitation },
  handler: (scope, { params: { id } }) => getInvitation(scope, id),
})

export const listSkippedRoute = tenantRoute({
  method: 'get',
  path: '/invitations/:id/skipped',
  operationId: 'listSkippedRecipients',
  summary: 'List the recipients who get no message, with the reason',
  description: 'In the order of the request or the segment.',
  tag,
  permission,
  params: { id: 'invitation' },
  query: SkippedQuery,
  response: { status: 200, schema: SkippedList },
  handler: (scope, { params: { id }, query }) => listSkipped(scope, id, query),
})

export const cancelInvitationRoute = tenantRoute({
  method: 'post',
  path: '/invitations/:id/cancel',
  operationId: 'cancelInvitation',
  summary: 'Cancel messages that were not sent yet',
  description:
    'This includes reminders. Messages that a provider already has still arrive. A second call changes nothing.',
  tag,
  permission,
  params: { id: 'invitation' },
  audit: ['invitation.cancel'],
  response: { status: 200, schema: Invitation },
  handler: (scope, { params: { id } }) => cancelInvitation(scope, id),
})

export const explainInvitationRoute = tenantRoute({
  method: 'get',
  path: '/invitations/:id/explain',
  operationId: 'explainInvitation',
  summary: 'Explain why a person did or did not get a message',
  description: 'Checks every rule for one address as of now, and lists the messages to this person.',
  tag,
  permission,
  params: { id: 'invitation' },
  find: (scope, { id }) => getInvitation(scope, id),
  query: ExplainInvitationQuery,
  exampleQuery: { recipient: 'grace@example.com' },
  response: { status: 200, schema: InvitationExplanation },
  handler: (scope, { params: { id }, query }) => explainInvitation(scope, id, query.recipient),
})

export const readAskingRoute = tenantRoute({
  method: 'get',
  path: '/people/:id/asking',
  operationId: 'readPersonAsking',
  summary: 'Say on which channels a person may be asked now',
  description:
    'What an invitation of now would decide by the address, the suppression list and the contact frequency of the ' +
    'workspace. Quiet hours only defer a message, so they do not count here.',
  tag: 'People',
  params: { id: 'person' },
  response: { status: 200, schema: PersonAsking },
  handler: (scope, { params: { id } }) => readAsking(scope, id),
})
