import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'

const BODY = {
  workspace_name: 'Acme',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  password: 'correct horse battery',
}

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const signUp = (body: object) => server.request('POST', '/public/workspaces', { body })

test.each(['pg', 'pglite'] as const)(
  'on %s, signing up makes a workspace whose owner may do everything',
  async (engine) => {
    const own = await startTestServer({ engine })
    const isLedTo = async () => (await own.request('GET', '/')).headers.get('location')
    expect((await own.request('GET', '/public/signups')).body).toEqual({ enabled: true })
    expect(await isLedTo()).toBe('/app/welcome')
    const signedUp = await own.request('POST', '/public/workspaces', { body: BODY })
    expect(signedUp).toMatchObject({
      status: 201,
      body: { workspace: { name: 'Acme' }, user: { name: 'Ada Lovelace', email: 'ada@example.com' } },
    })
    const { token, workspace, user, expires_at } = signedUp.body
    expect(expires_at).toBe(new Date(own.clock.now().getTime() + 30 * 86_400_000).toISOString())
    const me = await own.request('GET', '/v1/me', { token })
    expect(me.body).toMatchObject({ principal: { type: 'user', id: user.id }, workspace })
    expect(me.body.permissions).toHaveLength(24)
    const key = await own.request('POST', '/v1/api-keys', { token, body: { name: 'k', permissions: ['adept.use'] } })
    expect((await own.request('GET', '/v1/me', { token: key.body.key })).body.permissions).toEqual(['adept.use'])
    expect(await isLedTo()).toBe('/app')
    await own.close()
  },
)

test('with SIGNUPS closed nobody signs up, and the front end can tell', async () => {
  const closed = await startTestServer({ env: { SIGNUPS: 'closed' } })
  expect((await closed.request('GET', '/public/signups')).body).toEqual({ enabled: false })
  expect(await closed.request('POST', '/public/workspaces', { body: BODY })).toMatchObject({
    status: 403,
    body: { code: 'signups_closed' },
  })
  expect(await closed.peek('select 1 from users union all select 1 from workspaces')).toEqual([])
  await closed.close()
})

test('an address with an account signs up with its password, and with another like an address without an account', async () => {
  const { email, password, userId } = await createWorkspace(server)
  const seen = []
  const users: string[] = []
  for (const address of [email, 'never-seen@example.com']) {
    server.statements.length = 0
    const made = await signUp({ ...BODY, email: address, password: 'another password' })
    const statements = server.statements.map(({ text }) => text)
    const shape = made.text.replace(address, '').replaceAll(/(ws_|usr_|ear_session_)\w+/g, '$1')
    const again = await signUp({ ...BODY, email: address, password: 'another password' })
    expect(again.body.user.id).toBe(made.body.user.id)
    const me = (await server.request('GET', '/v1/me', { token: made.body.token })).body
    const signIn = await server.request('POST', '/public/sessions', {
      body: { email: address, password: 'another password' },
    })
    users.push(made.body.user.id)
    seen.push({ shape, statements, verified: me.verified, signIn: signIn.status })
  }
  expect(seen[0]).toEqual(seen[1])
  expect(seen[0]).toMatchObject({ verified: false, signIn: 201 })
  expect(users[0]).not.toBe(userId)
  expect(await signUp({ ...BODY, email: email.toUpperCase(), name: 'Somebody Else', password })).toMatchObject({
    status: 201,
    body: { user: { id: userId, name: 'Ada Lovelace' } },
  })
})

test('sign-ups are no way to guess a password: new accounts of one address are limited, known or not', async () => {
  const { email } = await createWorkspace(server)
  for (const address of [email, 'guessed@example.com']) {
    const statuses = []
    // Its own sign-up was the first.
    for (let n = address === email ? 1 : 0; n < 11; n++)
      statuses.push((await signUp({ ...BODY, email: address, password: `guess number ${n}` })).status)
    expect(statuses.lastIndexOf(201)).toBe(statuses.length - 2)
    expect(statuses.at(-1)).toBe(429)
  }
})

test('two sign-ups with one new address at the same moment make one account', async () => {
  const answers = await Promise.all([1, 2].map(() => signUp({ ...BODY, email: 'both@example.com' })))
  expect(answers.map((answer) => answer.status)).toEqual([201, 201])
  expect(answers[0]?.body.user.id).toBe(answers[1]?.body.user.id)
})

test('a sign-up that does not fit names each place that is wrong', async () => {
  const answer = await signUp({ workspace_name: ' ', name: 'Ada', email: 'nonsense', password: 'too short' })
  expect(answer.status).toBe(400)
  expect(answer.body.issues.map((issue: { path: string }) => issue.path).sort()).toEqual([
    'email',
    'password',
    'workspace_name',
  ])
  expect((await signUp({ ...BODY, email: 'long@example.com', password: 'x'.repeat(201) })).body.issues).toMatchObject([
    { path: 'password' },
  ])
})
