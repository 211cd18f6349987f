import { describe, expect, test } from 'vitest'
import { renderBody } from './body.ts'
import { afterAttempt, parseRetryAfter, type Outcome } from './delivery.ts'
import { attemptHeaders, sign } from './signature.ts'
import { matches } from '../registration/subscription.ts'
import vectors from './vectors/voc-signature.json' with { type: 'json' }

const RETRIES = [5, 300, 1800, 7200]
const now = new Date('2026-03-02T10:00:00.000Z')
const answered = (statusCode: number, retryAfter: string | null = null): Outcome => ({ statusCode, error: null, latencyMs: 3, excerpt: '', retryAfter })
const thrown: Outcome = { statusCode: null, error: 'the connection was refused', latencyMs: null, excerpt: null, retryAfter: null }

const event = {
  id: 'evt_1',
  type: 'response.completed',
  createdAt: '2026-03-02T10:00:00.000Z',
  data: JSON.stringify({
    responseId: 'rsp_1',
    score: { metric: 'nps', value: 9, band: 'promoter' },
    answers: [{ questionId: 'q1', type: 'nps', value: 9 }],
    text: [{ questionId: 'q2', value: 'secret words' }],
    customData: { plan: 'pro' },
  }),
}
const all = { include_answers: true, include_text: true, include_custom_data: true }

test('the published signature vector is met, and the hex-decoded key is not the key', () => {
  const [vector, wrong] = vectors
  expect(sign(vector?.secret ?? '', vector?.ts ?? 0, vector?.body ?? '')).toBe(vector?.sig)
  expect(vector?.sig).not.toBe(wrong?.sig)
})

describe('a subscription', () => {
  test.each([
    [[], [], 'response.completed', 's1', true],
    [['response.completed'], [], 'response.completed', 's1', true],
    [['survey.sent'], [], 'response.completed', 's1', false],
    [[], ['s1'], 'response.completed', 's1', true],
    [[], ['s2'], 'response.completed', 's1', false],
    [[], ['s2'], 'webhook.disabled', null, false],
    [[], [], 'webhook.disabled', null, true],
  ])('events %j and surveys %j take %s about %s: %s', (events, survey_ids, type, surveyId, expected) => {
    expect(matches({ events, survey_ids }, { type, surveyId })).toBe(expected)
  })
})

describe('a body', () => {
  test('holds every section and omits none while the toggles are on', () => {
    const { body, omitted } = renderBody(event, all)
    expect(omitted).toEqual([])
    expect(JSON.parse(body)).toMatchObject({ id: 'evt_1', type: 'response.completed', apiVersion: 'v1', data: { omitted: [], customData: { plan: 'pro' } } })
  })
  test.each([
    ['include_answers', ['answers', 'score'], 'answers'],
    ['include_text', ['text'], 'text'],
    ['include_custom_data', ['customData'], 'customData'],
  ] as const)('without %s has no %j and says so', (toggle, members, name) => {
    const { body, omitted } = renderBody(event, { ...all, [toggle]: false })
    const { data } = JSON.parse(body)
    for (const member of members) expect(data).not.toHaveProperty(member)
    expect(omitted).toEqual([name])
    expect(data.omitted).toEqual([name])
  })
  test('is the same string each time it is rendered', () => {
    expect(renderBody(event, all).body).toBe(renderBody(event, all).body)
  })
  test('of an event without sections stays as it is', () => {
    const sent = { ...event, type: 'survey.sent', data: JSON.stringify({ surveyId: 'srv_1', channel: 'email', acceptedAt: event.createdAt }) }
    expect(JSON.parse(renderBody(sent, { include_answers: false, include_text: false, include_custom_data: false }).body).data).toEqual({
      surveyId: 'srv_1',
      channel: 'email',
      acceptedAt: event.createdAt,
    })
  })
})

test('a webhook without a secret is sent none of the signature headers', () => {
  const headers = attemptHeaders({ deliveryId: 'whd_1', keys: null, timestamp: 1, body: '{}', version: '1.0.0' })
  expect(headers).toEqual({ 'Content-Type': 'application/json', 'User-Agent': 'Earshot/1.0.0' })
})

describe('after an attempt', () => {
  test.each([200, 201, 204, 299])('%i is delivered', (status) => {
    expect(afterAttempt(0, answered(status), now, RETRIES, 0.5)).toEqual({ status: 'delivered', deadLettered: false, attempts: 1, nextAttemptAt: null })
  })
  test.each([
    [0, 5],
    [1, 300],
    [2, 1800],
    [3, 7200],
  ])('the failure after %i others waits %i seconds', (before, seconds) => {
    for (const outcome of [answered(500), answered(302), answered(101), thrown]) {
      expect(afterAttempt(before, outcome, now, RETRIES, 0.5)).toEqual({
        status: 'failed',
        deadLettered: false,
        attempts: before + 1,
        nextAttemptAt: new Date(now.getTime() + seconds * 1000),
      })
    }
  })
  test('the fifth failure dead-letters', () => {
    expect(afterAttempt(4, thrown, now, RETRIES, 0.5)).toEqual({ status: 'failed', deadLettered: true, attempts: 5, nextAttemptAt: null })
  })
  test('the wait is spread by 20 % either way', () => {
    const waits = [0, 1].map((random) => (afterAttempt(1, thrown, now, RETRIES, random).nextAttemptAt?.getTime() ?? 0) - now.getTime())
    expect(waits).toEqual([240_000, 360_000])
  })
  test('Retry-After lengthens the wait, up to two hours, and never shortens it', () => {
    const wait = (header: string) => (afterAttempt(0, answered(503, header), now, RETRIES, 0.5).nextAttemptAt?.getTime() ?? 0) - now.getTime()
    expect([wait('60'), wait('1'), wait('999999'), wait('nonsense'), wait('Mon, 02 Mar 2026 10:10:00 GMT')]).toEqual([60_000, 5_000, 7_200_000, 5_000, 600_000])
    expect(parseRetryAfter('Mon, 02 Mar 2026 09:00:00 GMT', now)).toBe(0)
  })
})
