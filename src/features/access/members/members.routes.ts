import { pageOf, PageQuery } from '../../../http/routes/pagination.ts'
import { spend } from '../../../http/limits/rate-limit.ts'
import { publicRoute, tenantRoute } from '../../../http/routes/route.ts'
import { hashToken } from '../../../platform/config/secrets.ts'
import { SignedIn } from '../sessions/sessions.schema.ts'
import { acceptedLanguage } from '../../../http/pages/notice-page.ts'
import {
  resolveInvitation,
  acceptInvitation,
  inviteMember,
  linkInvitation,
  listInvitations,
  withdrawInvitation,
  type RefuseAddress,
} from './invitations.service.ts'
import {
  AcceptInvitation,
  InvitationLink,
  InviteMember,
  Member,
  MemberInvitation,
  UpdateMember,
} from './members.schema.ts'
import { changeMemberRole, listMembers, removeMember } from './members.service.ts'

const GRANTS = { 403: 'The caller lacks `members.manage`, or a permission of the member’s present or new role.' }

export const listMembersRoute = tenantRoute({
  method: 'get',
  path: '/members',
  operationId: 'listMembers',
  summary: 'List members',
  tag: 'Members',
  query: PageQuery,
  response: { status: 200, schema: pageOf(Member) },
  handler: (scope, { query }) => listMembers(scope, query),
})

export const updateMemberRoute = tenantRoute({
  method: 'patch',
  path: '/members/:id',
  operationId: 'updateMember',
  summary: 'Give a member another role',
  tag: 'Members',
  permission: 'members.manage',
  params: { id: 'user' },
  body: UpdateMember,
  example: { role_id: 'rol_01jqe5v0k8e9r9d3z2m6h7t4xw' },
  audit: ['member.update'],
  response: { status: 200, schema: Member },
  problems: { ...GRANTS, 409: 'A workspace needs an owner, and this is the last one.', 422: 'The role is unknown.' },
  handler: (scope, { params, body }) => changeMemberRole(scope, params.id, body),
})

export const removeMemberRoute = tenantRoute({
  method: 'delete',
  path: '/members/:id',
  operationId: 'removeMember',
  summary: 'Remove a member',
  description:
    'Their sessions in this workspace end at once. Their API keys stop working until another member adopts them.',
  tag: 'Members',
  permission: 'members.manage',
  params: { id: 'user' },
  audit: ['member.remove'],
  response: { status: 204 },
  problems: { ...GRANTS, 409: 'A workspace needs an owner, and this is the last one.' },
  async handler(scope, { params }) {
    await removeMember(scope, params.id)
  },
})

/** @param refuse throws Problem 409 for an erased address. A later district knows them. */
export const createInviteMemberRoute = (refuse: RefuseAddress) =>
  tenantRoute({
    method: 'post',
    path: '/members/invitations',
    operationId: 'inviteMember',
    summary: 'Invite somebody by mail',
    description:
      'The invitation is valid for 7 days and replaces an earlier one to the same address. The mail is in the language ' +
      'of `Accept-Language`.',
    tag: 'Members',
    headers: ['accept-language'],
    permission: 'members.manage',
    body: InviteMember,
    example: { email: 'grace@example.com', role_id: 'rol_01jqe5v0k8e9r9d3z2m6h7t4xw' },
    audit: ['member_invitation.create'],
    response: { status: 201, schema: MemberInvitation },
    problems: {
      ...GRANTS,
      409: '`already_member`, or `erased`: this person asked to be erased.',
      422: 'The role is unknown.',
    },
    async handler(scope, { body, limiters, c }) {
      await spend(limiters.invitations, scope.tenantId)
      return inviteMember(scope, body, { language: acceptedLanguage(c), refuse })
    },
  })

export const listInvitationsRoute = tenantRoute({
  method: 'get',
  path: '/members/invitations',
  operationId: 'listMemberInvitations',
  summary: 'List open invitations',
  tag: 'Members',
  query: PageQuery,
  response: { status: 200, schema: pageOf(MemberInvitation) },
  handler: (scope, { query }) => listInvitations(scope, query),
})

export const linkInvitationRoute = tenantRoute({
  method: 'post',
  path: '/members/invitations/:id/link',
  operationId: 'linkMemberInvitation',
  summary: 'Make a link to hand over',
  description:
    'For a server in development whose mails go into files (`features.email` of `GET /v1/system` is false). The link of ' +
    'the mail stops working.',
  tag: 'Members',
  permission: 'members.manage',
  params: { id: 'memberInvitation' },
  audit: ['member_invitation.link'],
  response: { status: 201, schema: InvitationLink },
  problems: { ...GRANTS, 409: '`mailed`: the link is in the mail alone, because it proves the mailbox.' },
  handler: (scope, { params }) => linkInvitation(scope, params.id),
})

export const withdrawInvitationRoute = tenantRoute({
  method: 'delete',
  path: '/members/invitations/:id',
  operationId: 'withdrawMemberInvitation',
  summary: 'Withdraw an invitation',
  tag: 'Members',
  permission: 'members.manage',
  params: { id: 'memberInvitation' },
  audit: ['member_invitation.withdraw'],
  response: { status: 204 },
  async handler(scope, { params }) {
    await withdrawInvitation(scope, params.id)
  },
})

export const acceptInvitationRoute = publicRoute({
  method: 'post',
  path: '/public/invitations/:token/accept',
  operationId: 'acceptMemberInvitation',
  summary: 'Accept an invitation and sign in',
  tag: 'Members',
  params: { token: 'text' },
  body: AcceptInvitation,
  example: { name: 'Grace Hopper', password: 'correct horse battery' },
  audit: ['member.join', 'user.sign_in'],
  response: { status: 201, schema: SignedIn },
  problems: {
    401: 'The address has an account with another password.',
    404: 'The token is unknown, used, withdrawn or expired.',
    429: 'There were too many attempts.',
  },
  resolve: (system, { token }) => resolveInvitation(system, token),
  async handler(scope, { params, body, c, limiters }) {
    await spend(limiters.signInAccount, hashToken(params.token))
    return acceptInvitation(c.get('system'), scope, params.token, body)
  },
})
