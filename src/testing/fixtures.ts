import { randomInt, randomUUID } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import { expect } from 'vitest'
import { features } from '../features.ts'
import { sendMailSweep } from '../features/access/mail/mail.feature.ts'
import type { EmailMessage } from '../platform/ports/email-port.ts'
import { newId, parseId } from '../platform/ids.ts'
import { PERMISSIONS, type Permission } from '../platform/permissions.ts'
import type { Signal } from '../platform/scope.ts'
import { createSignals, listenTo } from '../platform/work/listeners.ts'
import type { Sweep } from '../platform/work/sweeps.ts'
import type { TestServer } from './harness.ts'
import { recordEmail } from './recording-email.ts'

export interface TestWorkspace {
  token: string
  workspaceId: string
  userId: string
  email: string
  password: string
}

interface TestInvitation {
  id: string
  token: string
  email: string
  roleId: string
}

export interface TestMember {
  token: string
  userId: string
  roleId: string
  email: string
  password: string
}

interface SignUp {
  workspace_name: string
  name: string
  email: string
  password: string
}

/** Creates a workspace over HTTP. Its owner has proved the mailbox. */
export async function createWorkspace(server: TestServer, overrides: Partial<SignUp> = {}): Promise<TestWorkspace> {
  const body = signUpBody(overrides)
  if (overrides.email === undefined) await makeAccount(server, body)
  const workspace = await signUp(server, body)
  if (overrides.email !== undefined) await proveMailbox(server, workspace)
  return workspace
}

// Signing up and in to an account hashes as its stored hash says. This one takes no time.
const QUICK_HASH = { memoryCost: 8, timeCost: 1 }

async function makeAccount(server: TestServer, { email, name, password }: SignUp): Promise<void> {
  const now = server.clock.now()
  await server.peek(
    `insert into users (id, email, name, password_hash, sessions_to_end, verified_at, created_at)
     values ($1, $2, $3, $4, false, $5, $5)`,
    [newId('user'), email, name, await hash(password, QUICK_HASH), now],
  )
}

/** As the mailed link does, and without the mail. */
async function proveMailbox(server: TestServer, { workspaceId, userId }: TestWorkspace): Promise<void> {
  const ids = [parseId('workspace', workspaceId)]
  await server.peek('update users set verified_at = created_at where id = $1', [parseId('user', userId)])
  await server.peek('update workspaces set unproven = false where tenant_id = $1', ids)
  await server.peek('delete from outgoing_emails where tenant_id = $1', ids)
}

/** Signs up over HTTP. The mailbox is not proved. */
export async function signUp(server: TestServer, overrides: Partial<SignUp> = {}): Promise<TestWorkspace> {
  const body = signUpBody(overrides)
  // A new address each time, if the server trusts it, because sign-ups are limited by address.
  const headers = { 'x-forwarded-for': `198.18.${randomInt(256)}.${randomInt(256)}` }
  const answer = await server.request('POST', '/public/workspaces', { body, headers })
  expect(answer, answer.text).toMatchObject({ status: 201 })
  return {
    token: answer.body.token,
    workspaceId: answer.body.workspace.id,
    userId: answer.body.user.id,
    email: body.email,
    password: body.password,
  }
}

function signUpBody(overrides: Partial<SignUp>): SignUp {
  return {
    workspace_name: 'Acme',
    name: 'Ada Lovelace',
    email: `ada-${randomUUID()}@example.com`,
    password: 'correct horse battery',
    ...overrides,
  }
}

/**
 * Workspaces for the tests of a suite that call any route. Signing up takes a password hash, so one serves `most`
 * tests, unless a call has ended its owner's access.
 */
export function shareWorkspaces(server: () => TestServer, most: number): () => Promise<TestWorkspace> {
  let shared: TestWorkspace | null = null
  let uses = 0
  const isWhole = async ({ token }: TestWorkspace) => {
    const me = await server().request('GET', '/v1/me', { token })
    return me.status === 200 && me.body.permissions.length === PERMISSIONS.length
  }
  return async () => {
    if (!shared || uses >= most || !(await isWhole(shared))) {
      shared = await createWorkspace(server())
      uses = 0
    }
    uses += 1
    return shared
  }
}

/** An API key with exactly these permissions. */
export async function createApiKey(
  server: TestServer,
  token: string,
  permissions: Permission[],
): Promise<{ key: string; id: string }> {
  const answer = await server.request('POST', '/v1/api-keys', {
    token,
    body: { name: 'A key for a test', permissions },
  })
  expect(answer, answer.text).toMatchObject({ status: 201 })
  return { key: answer.body.key, id: answer.body.id }
}

/** Runs a sweep once, as the worker does. Returns the amount done. */
export function runSweep(server: TestServer, sweep: Sweep): Promise<number> {
  return server.services.run((system) =>
    sweep.run(system, { limit: 100, signal: new AbortController().signal, renew: async () => true }),
  )
}

/** A sweep with one listener to a signal, in place of those of the features. */
export function withListener<Payload>(
  sweep: Sweep,
  signal: Signal<Payload>,
  handle: (payload: Payload) => Promise<void>,
): Sweep {
  const signals = createSignals([listenTo(signal, async () => ({ handle }))])
  return {
    ...sweep,
    run: (system, options) =>
      sweep.run({ ...system, tenant: (id, principal) => ({ ...system.tenant(id, principal), signals }) }, options),
  }
}

export function sweepNamed(name: string): Sweep {
  const sweep = features.flatMap(({ sweeps = [] }) => sweeps).find((each) => each.name === name)
  if (!sweep) throw new Error(`no sweep is called ${name}`)
  return sweep
}

/** As `runSweep`, but the lease ends after so many turns of workspaces. */
export function runTurns(server: TestServer, sweep: Sweep, turns: number): Promise<number> {
  let left = turns
  const renew = async () => left-- > 0
  return server.services.run((system) => sweep.run(system, { limit: 100, signal: new AbortController().signal, renew }))
}

/** An open invitation with its mailed token. `role` is a name or an id. */
export async function createInvitation(
  server: TestServer,
  token: string,
  role: string,
  email = `member-${randomUUID()}@example.com`,
): Promise<TestInvitation> {
  const roles = await server.request('GET', '/v1/roles?limit=100', { token })
  const roleId = roles.body.data.find((row: { id: string; name: string }) => row.name === role || row.id === role)?.id
  const mail = recordEmail(server)
  const invited = await server.request('POST', '/v1/members/invitations', { token, body: { email, role_id: roleId } })
  expect(invited, invited.text).toMatchObject({ status: 201 })
  await runSweep(server, sendMailSweep)
  return { id: invited.body.id, token: tokenIn(textOf(mail.sent, email, 'ear_invite_')), email, roleId }
}

/** Another member, invited and accepted over HTTP. */
export async function createMember(server: TestServer, token: string, role: string): Promise<TestMember> {
  const { token: invitation, email, roleId } = await createInvitation(server, token, role)
  const password = 'correct horse battery'
  const joined = await server.request('POST', `/public/invitations/${invitation}/accept`, {
    body: { name: role, password },
  })
  expect(joined, joined.text).toMatchObject({ status: 201 })
  return { token: joined.body.token, userId: joined.body.user.id, roleId, email, password }
}

/** The newest mail to an address with a token of this kind. */
export function textOf(sent: EmailMessage[], email: string, prefix: string): string | undefined {
  return sent.findLast(({ to, text }) => to === email && text.includes(prefix))?.text
}

/** The token in a mail. */
export function tokenIn(text: string | undefined): string {
  const token = /^ear_\w+$/m.exec(text ?? '')?.[0]
  if (!token) throw new Error('the mail carries no token')
  return token
}
