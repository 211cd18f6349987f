import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parseId } from '../../../platform/ids.ts'
import {
  createApiKey,
  createInvitation,
  createWorkspace,
  runSweep,
  signUp,
  textOf,
  tokenIn,
} from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { recordEmail, type RecordingEmail } from '../../../testing/recording-email.ts'
import { sendMailSweep } from '../mail/mail.feature.ts'
import { mailResetsSweep } from '../password-resets/password-resets.feature.ts'
import { settledProofsSweep } from './users.feature.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const PASSWORD = 'the password of its owner'

let server: TestServer
let mail: RecordingEmail
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(() => {
  mail = recordEmail(server)
})
afterAll(() => server.close())

const me = async (token: string) => (await server.request('GET', '/v1/me', { token })).body
const statusOf = async (token: string) => (await server.request('GET', '/v1/me', { token })).status
const signIn = (email: string, password: string) =>
  server.request('POST', '/public/sessions', { body: { email, password } })

async function resetOf(email: string): Promise<string> {
  await server.request('POST', '/public/password-resets', { body: { email } })
  await runSweep(server, mailResetsSweep)
  await runSweep(server, sendMailSweep)
  return tokenIn(textOf(mail.sent, email, 'ear_reset_'))
}

const names = (answer: { body: { workspaces: Array<{ id: string }> } }) => answer.body.workspaces.map(({ id }) => id)

describe('an invitation to an address that a stranger claimed', () => {
  async function claimed() {
    const stranger = await signUp(server, { workspace_name: 'Trap' })
    const { key } = await createApiKey(server, stranger.token, [])
    const host = await createWorkspace(server)
    const { token } = await createInvitation(server, host.token, 'viewer', stranger.email)
    return { stranger, key, host, path: `/public/invitations/${token}` }
  }

  test.each(['their own password', 'the stranger’s password'])(
    'accepted with %s ends all that was before',
    async (how) => {
      const { stranger, key, host, path } = await claimed()
      const password = how === 'their own password' ? PASSWORD : stranger.password
      const joined = await server.request('POST', `${path}/accept`, { body: { password } })
      expect(joined).toMatchObject({ status: 201, body: { workspace: { id: host.workspaceId } } })
      expect(names(joined)).toEqual([host.workspaceId])
      expect(await me(joined.body.token)).toMatchObject({ verified: true })
      expect([await statusOf(stranger.token), await statusOf(key)]).toEqual([401, 401])
      expect((await signIn(stranger.email, password)).body.workspace.id).toBe(host.workspaceId)
      if (password !== stranger.password) expect((await signIn(stranger.email, stranger.password)).status).toBe(401)
      expect(await runSweep(server, settledProofsSweep)).toBe(0)
    },
  )

  test('keeps the workspaces that the person ticks, without their keys', async () => {
    const { stranger, key, host, path } = await claimed()
    const page = await server.request('GET', path)
    expect(page.text).toContain(`name="keep_${stranger.workspaceId}"`)
    expect(page.text).toContain('“Trap”')
    const body = `password=${encodeURIComponent(PASSWORD)}&keep_${stranger.workspaceId}=on`
    expect((await server.request('POST', path, { body, headers: FORM })).status).toBe(200)
    const signedIn = await signIn(stranger.email, PASSWORD)
    expect(signedIn.body.workspace.id, 'the newest invited one').toBe(host.workspaceId)
    expect(names(signedIn)).toEqual([stranger.workspaceId, host.workspaceId])
    expect([await statusOf(stranger.token), await statusOf(key)]).toEqual([401, 401])
  })

  test('of a proven account takes its password, and touches nothing else', async () => {
    const owner = await createWorkspace(server)
    const { key } = await createApiKey(server, owner.token, [])
    const claim = await signUp(server, { email: owner.email, password: PASSWORD })
    await runSweep(server, sendMailSweep)
    const host = await createWorkspace(server)
    const { token } = await createInvitation(server, host.token, 'viewer', owner.email)
    const accept = (password: string) =>
      server.request('POST', `/public/invitations/${token}/accept`, { body: { password } })
    expect((await accept(PASSWORD)).status).toBe(401)
    expect(names(await accept(owner.password))).toEqual([owner.workspaceId, host.workspaceId])
    expect(await Promise.all([owner.token, key, claim.token].map(statusOf))).toEqual([200, 200, 200])
  })
})

describe('a reset of an address that a stranger claimed', () => {
  test('ends the stranger’s sessions and keys, and takes their workspaces away', async () => {
    const stranger = await signUp(server)
    const other = await signUp(server, { email: stranger.email, password: 'of a second stranger' })
    const { key } = await createApiKey(server, stranger.token, [])
    const token = await resetOf(stranger.email)
    const body = { password: PASSWORD }
    expect((await server.request('POST', `/public/password-resets/${token}`, { body })).status).toBe(204)
    expect(await Promise.all([stranger.token, other.token, key].map(statusOf))).toEqual([401, 401, 401])
    expect((await signIn(stranger.email, 'of a second stranger')).status).toBe(401)
    expect(await signIn(stranger.email, PASSWORD)).toMatchObject({ status: 403, body: { code: 'no_workspace' } })
  })

  test('keeps what the person ticks, whichever account made it', async () => {
    const first = await signUp(server, { workspace_name: 'One' })
    const second = await signUp(server, { email: first.email, workspace_name: 'Two', password: 'forgotten again' })
    const third = await signUp(server, { email: first.email, workspace_name: 'Three', password: 'of a stranger' })
    const path = `/public/password-resets/${await resetOf(first.email)}`
    for (const { workspaceId } of [first, second, third])
      expect((await server.request('GET', path)).text).toContain(`name="keep_${workspaceId}"`)
    const body = `password=${encodeURIComponent(PASSWORD)}&keep_${first.workspaceId}=on&keep_${second.workspaceId}=on`
    expect((await server.request('POST', path, { body, headers: FORM })).status).toBe(200)
    const signedIn = await signIn(first.email, PASSWORD)
    expect(names(signedIn)).toEqual([first.workspaceId, second.workspaceId])
    expect((await me(signedIn.body.token)).permissions.length).toBeGreaterThan(20)
    expect(await server.peek('select 1 from users where email = $1', [first.email])).toHaveLength(1)
  })

  test('names no workspace of somebody else', async () => {
    const stranger = await signUp(server)
    const victim = await createWorkspace(server)
    const path = `/public/password-resets/${await resetOf(stranger.email)}`
    const body = { password: PASSWORD, keep_workspaces: [victim.workspaceId, 'nonsense'] }
    expect((await server.request('POST', path, { body })).status).toBe(204)
    expect((await signIn(stranger.email, PASSWORD)).status).toBe(403)
    expect(await statusOf(victim.token)).toBe(200)
  })
})

test('a proof whose process died is worked off by the sweep', async () => {
  const stranger = await signUp(server)
  const { key } = await createApiKey(server, stranger.token, [])
  const id = parseId('user', stranger.userId)
  const settling = { into: id, keep: [], drop: [parseId('workspace', stranger.workspaceId)], ends: true }
  await server.peek('update users set verified_at = $2, settling = $3 where id = $1', [
    id,
    server.clock.now(),
    JSON.stringify(settling),
  ])
  expect(await runSweep(server, settledProofsSweep)).toBe(1)
  expect([await statusOf(stranger.token), await statusOf(key)]).toEqual([401, 401])
  expect(await runSweep(server, settledProofsSweep)).toBe(0)
})

test('signing in opens the workspace used last, and the newest invited one where none was used', async () => {
  const first = await createWorkspace(server)
  const second = await createWorkspace(server, { email: first.email, password: first.password })
  const opened = async () => (await signIn(first.email, first.password)).body
  expect((await opened()).workspace.id).toBe(second.workspaceId)
  const { token } = await opened()
  await server.request('POST', '/v1/session/workspace', { token, body: { workspace_id: first.workspaceId } })
  expect((await opened()).workspace.id).toBe(first.workspaceId)
})
