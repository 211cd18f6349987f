import { expect, test } from 'vitest'
import { MESSAGE, refusal, resend } from '../../testing/providers/email-fixture.ts'

test('sends what its interface takes, with the tag and the key', async () => {
  const { fake, email } = await resend()
  const accepted = await email.send(MESSAGE)
  expect(fake.emails).toEqual([
    {
      id: accepted.providerId,
      idempotencyKey: 'send_018f',
      from: '"Bücher & Co" <feedback@acme.example>',
      to: ['ada@example.com'],
      subject: 'Grüße 👋',
      text: MESSAGE.text,
      html: MESSAGE.html,
      reply_to: 'team@acme.example',
      headers: MESSAGE.headers,
      tags: [{ name: 'voc_delivery', value: 'abc_DEF-123' }],
    },
  ])
})

test('the same message twice is one email with one id, also when the first answer was lost', async () => {
  const { fake, email } = await resend()
  fake.onAccepted = () => false
  await expect(email.send(MESSAGE)).rejects.toThrow()
  fake.onAccepted = null
  const [first, second] = [await email.send(MESSAGE), await email.send(MESSAGE)]
  expect(first).toEqual(second)
  expect(fake.emails.map(({ id }) => id)).toEqual([first.providerId])
})

test('a message that was taken in other words before is taken, not sent again', async () => {
  const { fake, email } = await resend()
  await email.send(MESSAGE)
  expect(await email.send({ ...MESSAGE, subject: 'Changed' })).toEqual({ providerId: null })
  expect(fake.emails).toHaveLength(1)
})

test.each([
  [401, 'missing_api_key', 'unknown'],
  [403, 'invalid_api_key', 'unknown'],
  [409, 'concurrent_idempotent_requests', 'unknown'],
  [422, 'validation_error', 'refused'],
  [422, 'missing_required_field', 'refused'],
  [429, 'rate_limit_exceeded', 'throttled'],
  [451, 'security_error', 'refused'],
  [500, 'application_error', 'unknown'],
])('%i %s means: %s', async (status, name, verdict) => {
  const { fake, email } = await resend()
  fake.answers.push({ status, body: { statusCode: status, name, message: 'ada@example.com is not possible' } })
  expect(await refusal(email.send(MESSAGE))).toMatchObject({ code: `resend_${name}`, verdict, retryAfter: null })
  await email.send(MESSAGE)
  expect(fake.emails).toHaveLength(1)
})

test('the time to wait is handed on', async () => {
  const { fake, email } = await resend()
  fake.answers.push({ status: 429, body: { name: 'rate_limit_exceeded' }, headers: { 'retry-after': '7' } })
  expect((await refusal(email.send(MESSAGE))).retryAfter).toBe(7)
})

test.each([['nonsense'], [null], [[]], [{ name: 'ada@example.com' }], [{ id: 5 }]])(
  'an answer such as %j is known by its status alone',
  async (body) => {
    const { fake, email } = await resend()
    fake.answers.push({ status: 502, body })
    expect((await refusal(email.send(MESSAGE))).code).toBe('resend_502')
    fake.answers.push({ status: 200, body })
    expect((await refusal(email.send(MESSAGE))).code).toBe('resend_200')
  },
)

test('without a key nothing is asked, with a wrong one nothing is sent', async () => {
  const none = await resend(null)
  expect(await refusal(none.email.send(MESSAGE))).toMatchObject({ code: 'resend_not_configured', verdict: 'not_taken' })
  expect(none.fake.requests).toBe(0)
  const wrong = await resend('re_wrong')
  expect(await refusal(wrong.email.send(MESSAGE))).toMatchObject({ code: 'resend_invalid_api_key', verdict: 'unknown' })
  expect(wrong.fake.emails).toEqual([])
})
