import { afterAll, beforeAll, expect, test } from 'vitest'
import { dispatchSweeps } from '../../features/outreach/messages/messages.feature.ts'
import { openHouse, runRequests, type House } from '../../features/trust/data-protection/person.fixture.ts'
import { parseId, type TenantId } from '../../platform/ids.ts'
import type { Scope } from '../../platform/scope.ts'
import { runSweep } from '../../testing/fixtures.ts'
import { submit } from '../../testing/makers.ts'
import { expireKeysSweep } from '../upkeep.ts'
import { claimKey } from './idempotency.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

async function erase(subject: object) {
  const { id } = (await house.call('POST', '/v1/gdpr/requests', { kind: 'erasure', subject })).body
  await runRequests(house.server)
  return (await house.call('GET', `/v1/gdpr/requests/${id}`)).body
}

test('a key that names the person is unreadable, and after the erasure a repeat has no second effect', async () => {
  const recipients = [{ email: 'key.person@example.com' }, { email: 'bystander@example.com' }]
  const invite = () =>
    house.call(
      'POST',
      `/v1/surveys/${house.surveyId}/invite`,
      { channel: 'email', recipients },
      { 'idempotency-key': 'batch-key.person@example.com' },
    )
  expect((await invite()).status).toBe(202)
  expect(await house.server.peek(`select 1 from idempotency_keys where key like '%person%'`)).toEqual([])
  await runSweep(house.server, dispatchSweeps.email)
  expect((await erase({ email: 'key.person@example.com' })).status).toBe('completed')
  const sends = () => house.server.peek('select id from sends')
  const before = await sends()
  expect((await invite()).headers.get('idempotency-replayed'), 'its answer names nobody').toBe('true')
  expect(await sends()).toEqual(before)
})

test('an erased answer leaves its record, and a repeat gets 409 and has no second effect', async () => {
  const note = () =>
    house.call(
      'POST',
      `/v1/responses/${noted}/notes`,
      { text: 'She is other.person@example.com' },
      { 'idempotency-key': 'other.person@example.com' },
    )
  const noted = (await submit(house.server, house.surveyId, { answers: { q1: 3 } })).id
  expect((await note()).status).toBe(201)
  expect((await erase({ email: 'other.person@example.com' })).counts).toMatchObject({ idempotency_keys: 1 })
  expect(await note()).toMatchObject({ status: 409, body: { code: 'idempotency_answer_lost' } })
})

test('an answer with a longer address is another person, and every spelling of theirs is found', async () => {
  const texts = {
    longer: 'joann@example.com, ann@example.company, +49151987654321',
    line: 'Ask:\nAnn@Example.com',
    spaced: 'ann @ example . com',
    number: 'Ring +49 (0)151 98-76-54-32',
  }
  for (const [key, text] of Object.entries(texts)) {
    const noted = (await submit(house.server, house.surveyId, { answers: { q1: 3 } })).id
    await house.call('POST', `/v1/responses/${noted}/notes`, { text }, { 'idempotency-key': key })
  }
  const { counts } = await erase({ email: 'ann@example.com', phone: '+4915198765432' })
  expect(counts.idempotency_keys).toBe(3)
  expect(await house.server.peek(`select 1 from idempotency_keys where body like '%joann@example.com%'`)).toHaveLength(
    1,
  )
})

test('an answer that names a response of the person is found by its id', async () => {
  const email = 'named.person@example.com'
  const told = await submit(house.server, house.surveyId, { answers: { q1: 3, q3: `I am ${email}` } })
  const tagged = await house.call(
    'POST',
    `/v1/responses/${told.id}/tags`,
    { tags: ['late'] },
    { 'idempotency-key': 'tag-1' },
  )
  expect(tagged.status).toBe(200)
  expect((await erase({ email })).counts).toMatchObject({ idempotency_keys: 1 })
})

test('an answer that was read before an erasure and kept after it counts as lost', async () => {
  const email = 'late.person@example.com'
  await submit(house.server, house.surveyId, { answers: { q1: 3, q3: `I am ${email}` } })
  await house.server.services.run(async (system) => {
    const scope = system.tenant(parseId('workspace', house.workspace.workspaceId) as TenantId, { type: 'system' })
    const claim = () => claimKey(scope, 'POST /v1/probe', 'late-1', ['body'])
    const first = await claim()
    if (first.outcome !== 'run') throw new Error('the key is not new')
    house.server.clock.advance(1)
    expect((await erase({ email })).status).toBe('completed')
    await first.remember({ status: 200, body: JSON.stringify({ text: `I am ${email}` }) })
    await expect(claim()).rejects.toMatchObject({ code: 'idempotency_answer_lost' })
  })
  expect(await house.server.peek(`select 1 from idempotency_keys where body like '%${email}%'`)).toEqual([])
})

test('an answer that is kept between the last search of an erasure and its end is erased', async () => {
  const email = 'between@example.com'
  await submit(house.server, house.surveyId, { answers: { q1: 3, q3: `I am ${email}` } })
  await house.server.services.run(async (system) => {
    const scope = system.tenant(parseId('workspace', house.workspace.workspaceId) as TenantId, { type: 'system' })
    const first = await claimKey(scope, 'POST /v1/probe', email, ['body'])
    if (first.outcome !== 'run') throw new Error('the key is not new')
    house.server.clock.advance(1)
    const port = system.ports.email
    const eraseCopies = port.eraseCopies?.bind(port)
    if (!eraseCopies) throw new Error('the provider keeps no copies')
    // Copies of the provider are erased after the last search.
    port.eraseCopies = async (addresses) => {
      await first.remember({ status: 200, body: JSON.stringify({ text: `I am ${email}` }) })
      return eraseCopies(addresses)
    }
    expect((await erase({ email })).status).toBe('completed')
    port.eraseCopies = eraseCopies
  })
  expect(await house.server.peek(`select 1 from idempotency_keys where body like '%${email}%'`)).toEqual([])
})

test('an answer whose transaction ends after the erasure has is erased', async () => {
  const email = 'later@example.com'
  const { server, workspace } = house
  await submit(server, house.surveyId, { answers: { q1: 3, q3: `I am ${email}` } })
  const isStored = Promise.withResolvers<void>()
  await server.services.run(async (system) => {
    const scope = system.tenant(parseId('workspace', workspace.workspaceId) as TenantId, { type: 'system' })
    const waiting = () =>
      server.peek(
        `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%from idempotency_keys%'`,
      )
    const signals: Scope['signals'] = {
      ...scope.signals,
      async emit(...given) {
        await scope.signals.emit(...given)
        isStored.resolve()
        await expect.poll(waiting).toHaveLength(1)
      },
    }
    const first = await claimKey({ ...scope, signals }, 'POST /v1/probe', email, ['body'])
    if (first.outcome !== 'run') throw new Error('the key is not new')
    server.clock.advance(1)
    const remembered = first.remember({ status: 200, body: JSON.stringify({ text: `I am ${email}` }) })
    await isStored.promise
    expect((await erase({ email })).status).toBe('completed')
    await remembered
  })
  expect(await server.peek(`select 1 from idempotency_keys where body like '%${email}%'`)).toEqual([])
})

test('the index forgets an answer with it, and knows nothing of moments and ids', async () => {
  const entries = () => house.server.peek(`select 1 from typed_contacts where place = 'idempotency_keys'`)
  await house.server.peek('delete from typed_contacts')
  const noted = (await submit(house.server, house.surveyId, { answers: { q1: 3 } })).id
  const note = (text: string, key: string) =>
    house.call('POST', `/v1/responses/${noted}/notes`, { text }, { 'idempotency-key': key })
  await note('Late again', 'plain')
  const before = (await entries()).length
  await note('Ask index.person@example.com', 'typed')
  expect((await entries()).length).toBeGreaterThan(before)
  house.server.clock.advance(25 * 3_600_000)
  await runSweep(house.server, expireKeysSweep)
  expect(await entries()).toEqual([])
})
