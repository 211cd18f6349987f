import type { z } from 'zod'
import { acrossTenants } from '../../../platform/work/across-tenants.ts'
import { pageRequest, presentPage, type Page, type PageQuery } from '../../../http/routes/pagination.ts'
import { conflict, notFound } from '../../../http/problems/problem.ts'
import { auditOf, auditUser } from '../../../platform/audit.ts'
import type { ReadTx, TenantTx } from '../../../platform/database/database.ts'
import { register, unregister, findTenant } from '../../../platform/database/directory.ts'
import { formatId, newId, type Id, type TenantId } from '../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import { hashToken } from '../../../platform/config/secrets.ts'
import { newToken, isToken } from '../../../platform/config/tokens.ts'
import { stageEmail } from '../mail/mail.service.ts'
import { requireGrantableRole } from '../roles/roles.service.ts'
import { enterWorkspace, requireSamePassword } from '../sessions/sessions.service.ts'
import { rememberAddress } from '../sessions/sign-in-attempts.service.ts'
import type { SignedIn } from '../sessions/sessions.schema.ts'
import { quotedName } from '../../../platform/text/names.ts'
import { listClaimed, proveByMailbox, type Claimed } from '../users/proof.service.ts'
import {
  authenticateUser,
  enrolUser,
  findUserByEmail,
  invalidCredentials,
  isProven,
  listUsersByEmail,
  rememberWorkspace,
  type UserRow,
} from '../users/users.service.ts'
import { lockWorkspace, readWorkspace, requireProven } from '../workspaces/workspaces.service.ts'
import { invitationLetter } from './invitation-letter.ts'
import * as store from './invitations.store.ts'
import { type AcceptInvitation, type InviteMember, type InvitationLink, MemberInvitation } from './members.schema.ts'
import { addMember, membersAmong } from './membership.service.ts'

const audited = auditOf('memberInvitation', { schema: MemberInvitation })
const auditedMember = auditOf('user', { noun: 'member' })

type Presented = z.input<typeof MemberInvitation>

const LIFETIME_MS = 7 * 24 * 3_600_000

/** Throws Problem 409 for an address that is not taken again. */
export type RefuseAddress = (scope: Scope, tx: TenantTx, email: string) => Promise<void>

/**
 * Mails an invitation, which replaces an earlier one to the same address.
 * @throws Problem 403 `unverified`, or naming a permission of the role that the caller lacks; 409 `already_member` or
 * `erased`; 422 for an unknown role.
 */
export async function inviteMember(
  scope: Scope,
  body: z.output<typeof InviteMember>,
  { language, refuse }: { language: string; refuse: RefuseAddress },
): Promise<Presented> {
  await requireProven(scope)
  const known = await listUsersByEmail(scope, body.email)
  const token = newToken('invitation')
  const now = scope.clock.now()
  return scope.tx(async (tx) => {
    // An erasure locks the workspace too, so the address is refused or its invitation is erased.
    const workspace = await lockWorkspace(tx)
    await refuse(scope, tx, body.email)
    const role = await requireGrantableRole(scope, tx, body.role_id)
    const members = await membersAmong(
      tx,
      known.map(({ id }) => id),
    )
    if (members.length > 0) throw conflict('already_member', 'A person with this address is already a member.')
    const replaced = await store.deleteByEmail(tx, body.email)
    if (replaced) await unregister(tx, 'member_invitation', [replaced.token_hash])
    const invitation = {
      id: newId('memberInvitation'),
      email: body.email,
      role_id: role.id,
      token_hash: hashToken(token),
      created_at: now,
      expires_at: new Date(now.getTime() + LIFETIME_MS),
    }
    await store.insertInvitation(tx, invitation)
    await register(tx, 'member_invitation', [invitation.token_hash])
    await stageEmail(scope, tx, {
      kind: 'member_invitation',
      to: body.email,
      ...invitationLetter(language, {
        workspace: quotedName(workspace.name),
        url: linkOf(scope, token),
        token,
      }),
    })
    const presented = present({ ...invitation, role_name: role.name })
    audited(scope, tx, 'create', invitation.id, { after: presented })
    return presented
  })
}

export async function listInvitations(scope: Scope, query: z.output<typeof PageQuery>): Promise<Page<Presented>> {
  const page = pageRequest(query)
  return presentPage(await scope.read((tx) => store.listOpen(tx, page, scope.clock.now())), page, present)
}

export async function withdrawInvitation(scope: Scope, id: Id<'memberInvitation'>): Promise<void> {
  await scope.tx(async (tx) => {
    const gone = await store.deleteInvitation(tx, id)
    if (!gone) throw notFound('memberInvitation')
    await unregister(tx, 'member_invitation', [gone.token_hash])
    audited(scope, tx, 'withdraw', id)
  })
}

/**
 * Makes a new link for an open invitation, to hand over where no mail leaves the server. The link before stops working.
 * This one proves no mailbox: it makes a member, and touches no other account of the address.
 * @throws Problem 403 naming a permission of the role that the caller lacks; 404 for an invitation that is not open;
 * 409 `mailed` in production, and where mails go to a provider, because there the link proves the mailbox.
 */
export async function linkInvitation(
  scope: Scope,
  id: Id<'memberInvitation'>,
): Promise<z.input<typeof InvitationLink>> {
  const token = newToken('invitation')
  await scope.tx(async (tx) => {
    const hash = hashToken(token)
    const before = await store.handOver(tx, id, hash, scope.clock.now())
    if (!before) throw notFound('memberInvitation')
    if (scope.settings.production || scope.settings.configured.email)
      throw conflict(
        'mailed',
        'The link is in the mail alone, because it proves the mailbox. To send another mail, invite the address again.',
      )
    await requireGrantableRole(scope, tx, formatId('role', before.role_id))
    await unregister(tx, 'member_invitation', [before.token_hash])
    await register(tx, 'member_invitation', [hash])
    audited(scope, tx, 'link', id)
  })
  return { url: linkOf(scope, token) }
}

/**
 * Joins the workspace and signs in. The token proves access to the mailbox, and the password proves the account.
 * @throws Problem 404 for a token that is unknown, used, withdrawn or expired; 401 for a wrong password of an existing
 * account.
 */
export async function acceptInvitation(
  system: SystemScope,
  scope: Scope,
  token: string,
  body: z.output<typeof AcceptInvitation>,
): Promise<z.input<typeof SignedIn>> {
  const user = await joinByInvitation(system, scope, token, body)
  const signedIn = await enterWorkspace(system, user, scope.tenantId)
  await requireSamePassword(system, user)
  return signedIn
}

/**
 * Reads an open invitation for its page.
 * @throws Problem 404 for a token that is unknown, used, withdrawn or expired.
 */
export async function readInvitation(
  system: SystemScope,
  scope: Scope,
  token: string,
): Promise<{ workspace: string; email: string; hasAccount: boolean; claimed: Claimed[] }> {
  const { email, handed_over, workspace } = await scope.read(async (tx) => {
    const { name } = await readWorkspace(tx)
    return { ...(await requireOpen(tx, token, scope.clock.now())), workspace: quotedName(name) }
  })
  const hasAccount = isProven(await findUserByEmail(scope, email))
  return { workspace, email, hasAccount, claimed: handed_over ? [] : await listClaimed(system, email) }
}

/**
 * Joins the workspace without signing in.
 * @throws Problem 404 for a token that is unknown, used, withdrawn or expired; 401 for a wrong password of an existing
 * account.
 */
export async function joinByInvitation(
  system: SystemScope,
  scope: Scope,
  token: string,
  body: z.output<typeof AcceptInvitation>,
): Promise<UserRow> {
  const { id, email, handed_over } = await scope.read((tx) => requireOpen(tx, token, scope.clock.now()))
  const user = await enterAccount(system, email, body, { provesMailbox: !handed_over })
  await scope.tx(async (tx) => {
    const used = await store.deleteInvitation(tx, id)
    if (!used) throw notFound()
    await unregister(tx, 'member_invitation', [used.token_hash])
    await addMember(scope, tx, { userId: user.id, roleId: used.role_id })
    auditedMember(scope, tx, 'join', user.id, {
      changes: [{ path: 'role_id', to: formatId('role', used.role_id) }],
      actor: auditUser(user.id),
    })
  })
  await rememberWorkspace(system, user.id, scope.tenantId, 'invited')
  await rememberAddress(system, email)
  return user
}

/**
 * The proven account of the address by its password. Else the password makes one, or chooses an account that claims it.
 */
async function enterAccount(
  system: SystemScope,
  email: string,
  { name, password, keep_workspaces }: z.output<typeof AcceptInvitation>,
  { provesMailbox }: { provesMailbox: boolean },
): Promise<UserRow> {
  if (isProven(await findUserByEmail(system, email))) {
    const user = await authenticateUser(system, email, password)
    if (!isProven(user)) throw invalidCredentials()
    return user
  }
  const { user } = await enrolUser(system, { email, name: name ?? email.slice(0, email.lastIndexOf('@')), password })
  if (provesMailbox) await proveByMailbox(system, user, keep_workspaces)
  return user
}

/** Removes expired invitations and their directory entries. Returns the number. */
export async function removeExpiredInvitations(system: SystemScope, limit: number): Promise<number> {
  const now = system.clock.now()
  let removed = 0
  for (const tenantId of await acrossTenants(system, (tx, among) =>
    store.listTenantsWithExpired(tx, among, now, limit),
  )) {
    removed += await system.tenant(tenantId, { type: 'system' }).tx(async (tx) => {
      const hashes = await store.deleteExpired(tx, now, limit)
      await unregister(tx, 'member_invitation', hashes)
      return hashes.length
    })
  }
  return removed
}

async function requireOpen(tx: ReadTx, token: string, now: Date): Promise<store.InvitationRow> {
  const invitation = await store.selectByToken(tx, hashToken(token), now)
  if (!invitation) throw notFound()
  return invitation
}

function linkOf(scope: Scope, token: string): string {
  return `${scope.settings.baseUrl}/public/invitations/${token}`
}

function present(row: Omit<store.InvitationRow, 'token_hash' | 'handed_over'>): Presented {
  return {
    id: formatId('memberInvitation', row.id),
    email: row.email,
    role: { id: formatId('role', row.role_id), name: row.role_name },
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  }
}

/** Finds the workspace of an invitation token. */
export async function resolveInvitation(system: SystemScope, token: string): Promise<TenantId | null> {
  return isToken('invitation', token) ? system.tx((tx) => findTenant(tx, 'member_invitation', hashToken(token))) : null
}
