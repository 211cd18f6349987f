import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import twilio from 'twilio'
import { describe, expect, test, vi } from 'vitest'
import { isSignedByTwilio } from './signature.ts'

interface Vector {
  name: string
  token: string
  signed_url: string
  form: string
  signature: string
  expect: string
  request_url?: string
}

const vectors = JSON.parse(readFileSync(new URL('vectors/twilio-signature.json', import.meta.url), 'utf8')) as Vector[]

test.each(vectors.map((vector) => [vector.name, vector] as const))('the shared vector "%s"', (_, vector) => {
  const url = vector.request_url ?? vector.signed_url
  const isSigned = isSignedByTwilio(vector.token, {
    url,
    parameters: new URLSearchParams(vector.form),
    signature: vector.signature,
  })
  // An evil Host is refused because the public base URL stands in its place: see callbacks.test.ts.
  expect(isSigned).toBe(vector.expect !== '403' || vector.name.startsWith('Host header'))
})

describe('the official package', () => {
  const word = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.constantFrom('', "It's", 'ä ö', '+49', '👍', 'a&b=c', '%27', '100%'),
  )
  const queryText = fc.array(
    fc.tuple(
      fc.constantFrom('foo', 'Body', 'step'),
      fc.constantFrom('1', "It's+amazing", 'It%27s', 'a%20b', 'a+b', '', '%F0%9F%91%8D', '~*()'),
    ),
    { maxLength: 3 },
  )
  const requests = fc.record({
    scheme: fc.constantFrom('https', 'http'),
    port: fc.constantFrom('', ':443', ':80', ':8443'),
    signedPort: fc.constantFrom('same', 'with', 'without'),
    query: queryText.map((pairs) =>
      pairs.length === 0 ? '' : `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`,
    ),
    signedQuery: fc.constantFrom('same', 'normalised'),
    parameters: fc.array(fc.tuple(fc.constantFrom('Body', 'From', 'To', 'Digits', 'MessageSid', 'ä', ''), word), {
      maxLength: 8,
    }),
    tampered: fc.constantFrom('no', 'no', 'no', 'parameter', 'signature'),
  })

  test('agrees on 1,000 generated requests, signed and not', () => {
    let accepted = 0
    fc.assert(
      fc.property(requests, ({ scheme, port, signedPort, query, signedQuery, parameters, tampered }) => {
        const own = scheme === 'https' ? ':443' : ':80'
        // The default port of the other scheme, and any odd one, is part of the address: it is signed as it stands.
        const isDefault = port === '' || port === own
        const path = `/public/twilio/sms${query}`
        const url = `${scheme}://feedback.example${port}${path}`
        const signedWith = isDefault && signedPort !== 'same' ? (signedPort === 'with' ? own : '') : port
        const asSent = `${scheme}://feedback.example${signedWith}${path}`
        const signed = signedQuery === 'same' ? asSent : new URL(asSent).href
        const form = new URLSearchParams(parameters)
        const object: Record<string, string | string[]> = {}
        for (const name of form.keys())
          object[name] = form.getAll(name).length > 1 ? form.getAll(name) : (form.get(name) ?? '')
        const signature = twilio.getExpectedTwilioSignature('token', signed, object)
        if (tampered === 'parameter') form.append('Zz', '1')
        const given = tampered === 'signature' ? `${signature.slice(0, -2)}A=` : signature
        const theirs = twilio.validateRequest(
          'token',
          given,
          url,
          tampered === 'parameter' ? { ...object, Zz: '1' } : object,
        )
        const ours = isSignedByTwilio('token', { url, parameters: form, signature: given })
        expect(ours).toBe(theirs)
        accepted += Number(ours)
      }),
      { numRuns: 1_000, seed: 20_261_121 },
    )
    expect(accepted).toBeGreaterThan(500)
    expect(accepted).toBeLessThan(1_000)
  })
})

test('another port than the scheme’s own is not taken for it', () => {
  const parameters = new URLSearchParams({ Body: '9' })
  const signature = twilio.getExpectedTwilioSignature('token', 'https://feedback.example/public/twilio/sms', {
    Body: '9',
  })
  const isSigned = (url: string) => isSignedByTwilio('token', { url, parameters, signature })
  expect(isSigned('https://feedback.example:443/public/twilio/sms')).toBe(true)
  expect(isSigned('https://feedback.example:8443/public/twilio/sms')).toBe(false)
  expect(isSigned('https://feedback.example/public/twilio/sms?')).toBe(false)
})

test.each([undefined, '', 'x', '='.repeat(28), 'ä'.repeat(14), 'A'.repeat(10_000)])(
  'a signature such as %j is none',
  (signature) => {
    expect(isSignedByTwilio('token', { url: 'https://a.example/', parameters: new URLSearchParams(), signature })).toBe(
      false,
    )
  },
)

test('a form with more parameters than Twilio sends is refused unread, however it is signed', () => {
  const url = 'https://ask.example.com/public/twilio/sms'
  const signed = (count: number) => {
    const form = Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, '']))
    const signature = twilio.getExpectedTwilioSignature('token', url, form)
    return isSignedByTwilio('token', { url, parameters: new URLSearchParams(form), signature })
  }
  expect(signed(500)).toBe(true)
  expect(signed(501)).toBe(false)
})

test('the names of a form are gone through once', () => {
  const form = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`p${n}`, '']))
  const parameters = new URLSearchParams(form)
  const search = vi.spyOn(parameters, 'getAll')
  isSignedByTwilio('token', { url: 'https://ask.example.com/', parameters, signature: 'x'.repeat(28) })
  expect(search.mock.calls.length).toBe(0)
})
