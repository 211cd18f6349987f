import { expect, test } from 'vitest'
import { createWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer } from '../../../testing/harness.ts'
import { inviteToSurvey, makeLiveSurvey } from '../../../testing/makers.ts'
import { maskAddress, parseAddress } from './address.ts'

test.each([
  ['Grace@Example.COM', 'grace@example.com'],
  [' grace@münchen.de ', 'grace@xn--mnchen-3ya.de'],
  ['grace@mu\u0308nchen.de', 'grace@xn--mnchen-3ya.de'],
  ['GRACE@MÜNCHEN.DE', 'grace@xn--mnchen-3ya.de'],
  ['grace@XN--MNCHEN-3YA.de', 'grace@xn--mnchen-3ya.de'],
  ['grace@straße.de', 'grace@xn--strae-oqa.de'],
  ['用户@例え.jp', '用户@xn--r8jz45g.jp'],
  ['a@हिन्दी.भारत', 'a@xn--j2bd4cyah0f.xn--h2brj9c'],
  ['\u200bgrace@example.com\u202c ', 'grace@example.com'],
  ['o+tag.1@a-b.example', 'o+tag.1@a-b.example'],
])('the address %j is stored as %j', (text, stored) => {
  expect(parseAddress('email', text)).toBe(stored)
  expect(parseAddress('email', stored)).toBe(stored)
})

test.each([
  'grace',
  'grace@',
  '@example.com',
  'grace@localhost',
  'grace@example.c',
  'grace@127.1',
  'grace@127.0.0.1',
  'grace@0x7f.0x1',
  'grace@a%2eb.com',
  'g***@example.com',
  ' 😀***@example.com',
  '***@example.com',
  'grace@exam\u00adple.com',
  'grace@exam\u200dple.com',
  'grace@a。com',
  'grace@-a.com',
  'grace@a-.com',
  'grace@a..com',
  'grace@.com',
  'grace@example.com.',
  'a b@example.com',
  'a..b@example.com',
  '.a@example.com',
  'a.@example.com',
  'a@b@example.com',
  `${'a'.repeat(65)}@example.com`,
  `grace@${'ü'.repeat(63)}.de`,
  `grace@${'a'.repeat(64)}.de`,
  `grace@${'abcdefgh.'.repeat(28)}com`,
])('%j is no address', (text) => {
  expect(parseAddress('email', text)).toBeNull()
})

test.each([
  '+4930901820',
  '+49 (0)30 901820',
  '0049 30 901820',
  '00 49 30 901820',
  '\u200e+49 30 901820',
  '\u202a+49\u00a030\u00a0901820\u202c',
  'tel:+49-30-901820',
])('the number %j is stored in E.164', (text) => {
  expect(parseAddress('sms', text)).toBe('+4930901820')
})

test.each(['030 901820', '+49', '', 'anonymous', '+999 1234567'])('%j is no number', (text) => {
  expect(parseAddress('sms', text)).toBeNull()
})

test('people read the domain as it was meant', () => {
  expect(maskAddress('email', 'grace@xn--mnchen-3ya.de')).toBe('g***@münchen.de')
  expect(maskAddress('email', '𝒶bc@example.com')).toBe('𝒶***@example.com')
  expect(maskAddress('sms', '+4915112345678')).toBe('+49*****78')
})

test('both forms of a domain are one person, to de-duplication and to suppression', async () => {
  const server = await startTestServer()
  const { token, ...owner } = await createWorkspace(server)
  const invite = async (...emails: string[]) => {
    const survey = await makeLiveSurvey(server, { token, ...owner })
    return inviteToSurvey(server, { token, ...owner }, survey, { recipients: emails.map((email) => ({ email })) })
  }
  expect((await invite('grace@münchen.de', 'grace@xn--mnchen-3ya.de')).accepted).toBe(1)
  await server.request('POST', '/v1/suppression', { token, body: { channel: 'email', address: 'grace@münchen.de' } })
  expect((await server.request('GET', '/v1/suppression', { token })).body.data).toMatchObject([
    { address: 'g***@münchen.de' },
  ])
  const again = await invite('grace@xn--mnchen-3ya.de', 'grace@münchen.de')
  expect(again.accepted).toBe(0)
  await server.close()
})
