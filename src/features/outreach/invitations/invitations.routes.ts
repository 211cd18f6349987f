import { isUtf8 } from 'node:buffer'
import { MIB, NOT_UTF8, readBody } from '../../../http/body.ts'
import { pageRequest } from '../../../http/pagination.ts'
import { badRequest, Problem } from '../../../http/problem.ts'
import { parseBody } from '../../../http/parse-body.ts'
import { tenantRoute } from '../../../http/route.ts'
import { cancelInvitation, getInvitation, listInvitations } from './invitations.service.ts'
import {
  Invitation,
  InvitationList,
  InvitationQuery,
  Invite,
  InviteCsvQuery,
  InviteResult,
  RecipientsCsv,
} from './invitations.schema.ts'
import { invite, requireSurvey } from './invite.service.ts'
import { readRecipients } from './recipients-csv.ts'

const tag = 'Sending'
const permission = 'dispatch.send'
const BODY_LIMIT = 10 * MIB
const REFUSED = {
  422: 'A template, segment, agent, time zone or custom field that is not the workspace’s; `no_sender_number` where SMS or calls have no number; a `send_at` more than a year ahead. Nobody was invited.',
}

export const inviteRoute = tenantRoute({
  method: 'post',
  path: '/surveys/:id/invite',
  operationId: 'inviteToSurvey',
  summary: 'Send a survey to people by email, SMS or phone',
  description:
    'Decides at once who is written to, and sends in the background at the rate that the provider takes. `GET /v1/invitations/:id` shows the progress. An address is asked once: repeats in the list, and people to whom this survey is about to go, are skipped as `duplicate`.',
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
  response: { status: 202, schema: InviteResult },
  problems: REFUSED,
  handler: (scope, { params: { id }, body }) => invite(scope, id, body),
})

export const inviteByCsvRoute = tenantRoute({
  method: 'post',
  path: '/surveys/:id/invite/csv',
  operationId: 'inviteToSurveyByCsv',
  summary: 'Send a survey to the people of a CSV file',
  description:
    'Send the file as `Content-Type: text/csv`, at most 10 MiB. Its first line names the columns: `email` or `phone`, and if wanted `name`, `language`, `timezone`, `agent_id`, and `custom.<field>` for custom data. `index` in the answer counts lines below the first, from 0.',
  tag,
  permission,
  params: { id: 'survey' },
  query: InviteCsvQuery,
  exampleQuery: { channel: 'email' },
  bodyLimit: BODY_LIMIT,
  headers: ['content-type'],
  rawBody: { 'text/csv': RecipientsCsv },
  response: { status: 202, schema: InviteResult },
  problems: {
    ...REFUSED,
    400: 'The file is no CSV, or names no column for the channel.',
    415: 'Another content type than text/csv.',
  },
  async handler(scope, { params: { id }, query, c }) {
    const bytes = await readBody(c.req.raw, BODY_LIMIT)
    await requireSurvey(scope, id)
    if (!/^text\/csv\b/i.test(c.req.header('content-type') ?? '')) {
      throw new Problem(415, 'unsupported_media_type', { detail: 'Send the file as `Content-Type: text/csv`.' })
    }
    if (!isUtf8(bytes)) throw badRequest([{ path: '', message: NOT_UTF8 }])
    if (bytes.includes(0)) throw badRequest([{ path: '', message: 'Text may not hold NUL characters.' }])
    const { recipients, issues } = await readRecipients(bytes)
    if (issues.length > 0) throw badRequest(issues)
    const reminders = (query.reminder_after_hours?.split(',') ?? []).map((hours) => ({ after_hours: Number(hours) }))
    return invite(
      scope,
      id,
      await parseBody(Invite, {
        channel: query.channel,
        recipients,
        template_id: query.template_id,
        send_at: query.send_at?.toISOString(),
        reminders,
      }),
    )
  },
})

export const listInvitationsRoute = tenantRoute({
  method: 'get',
  path: '/invitations',
  operationId: 'listInvitations',
  summary: 'Invitations to surveys, newest first',
  tag,
  query: InvitationQuery,
  response: { status: 200, schema: InvitationList },
  handler: (scope, { query }) => listInvitations(scope, query, pageRequest(query)),
})

export const getInvitationRoute = tenantRoute({
  method: 'get',
  path: '/invitations/:id',
  operationId: 'getInvitation',
  summary: 'An invitation and how far it has come',
  tag,
  params: { id: 'invitation' },
  response: { status: 200, schema: Invitation },
  handler: (scope, { params: { id } }) => getInvitation(scope, id),
})

export const cancelInvitationRoute = tenantRoute({
  method: 'post',
  path: '/invitations/:id/cancel',
  operationId: 'cancelInvitation',
  summary: 'Take back what was not sent yet',
  description: 'Reminders included. What a provider has been given already arrives. Cancelling again changes nothing.',
  tag,
  permission,
  params: { id: 'invitation' },
  response: { status: 200, schema: Invitation },
  handler: (scope, { params: { id } }) => cancelInvitation(scope, id),
})
