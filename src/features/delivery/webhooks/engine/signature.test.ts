import { expect, test } from 'vitest'
import { attemptHeaders, sign } from './signature.ts'
import vectors from './vectors/voc-signature.json' with { type: 'json' }

test('the published signature vector is met, and the hex-decoded key is not the key', () => {
  const [vector, wrong] = vectors
  expect(sign(vector?.secret ?? '', vector?.ts ?? 0, vector?.body ?? '')).toBe(vector?.sig)
  expect(vector?.sig).not.toBe(wrong?.sig)
})

test('a webhook without a secret is sent none of the signature headers', () => {
  const headers = attemptHeaders({ deliveryId: 'whd_1', keys: [], timestamp: 1, body: '{}', version: '1.0.0', own: {} })
  expect(headers).toEqual({ Accept: '*/*', 'Content-Type': 'application/json', 'User-Agent': 'Earshot/1.0.0' })
})
