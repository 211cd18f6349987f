import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseId } from '../../../platform/ids.ts'
import { stageEmailToEach } from './mail.service.ts'
import { openHouse, runRequests, type House } from '../../trust/data-protection/person.fixture.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

test('only waiting mail to the person is ended, and not mail to a longer address', async () => {
  const roles = (await house.call('GET', '/v1/roles?limit=100')).body.data
  const role_id = roles.find(({ name }: { name: string }) => name === 'viewer').id
  for (const email of ['bo@example.com', 'jumbo@example.com', 'bo@example.company'])
    expect((await house.call('POST', '/v1/members/invitations', { email, role_id })).status).toBe(201)
  const { id } = (
    await house.call('POST', '/v1/gdpr/requests', { kind: 'erasure', subject: { email: 'bo@example.com' } })
  ).body
  await runRequests(house.server)
  expect((await house.call('GET', `/v1/gdpr/requests/${id}`)).body.counts).toMatchObject({ outbox: 1, invitations: 1 })
})

test('a mail to many ends for one of them, or for all where its words name the person', async () => {
  const tenantId = parseId('workspace', house.workspace.workspaceId)
  if (!tenantId) throw new Error('not a workspace')
  const stage = (text: string, people: string[]) =>
    house.server.services.run((system) => {
      const scope = system.tenant(tenantId, { type: 'system' })
      return scope.tx((tx) => stageEmailToEach(scope, tx, { kind: 'test', subject: 'News', text }, people))
    })
  const erase = async (email: string) => {
    expect((await house.call('POST', '/v1/gdpr/requests', { kind: 'erasure', subject: { email } })).status).toBe(202)
    await runRequests(house.server)
  }
  const left = async () => {
    const [row] = await house.server.peek(`select
      (select count(*)::int from outgoing_emails where kind = 'test' and sealed is not null) as mails,
      (select count(*)::int from outgoing_email_contents) as contents`)
    return row
  }
  await stage('Nobody is named.', ['cy@example.com', 'di@example.com'])
  await stage('Somebody is named: ed@example.com.', ['fay@example.com', 'gil@example.com'])
  expect(await left()).toEqual({ mails: 4, contents: 2 })
  await erase('cy@example.com')
  expect(await left()).toEqual({ mails: 3, contents: 2 })
  await erase('ed@example.com')
  expect(await left()).toEqual({ mails: 1, contents: 1 })
  await erase('di@example.com')
  expect(await left()).toEqual({ mails: 0, contents: 0 })
})
