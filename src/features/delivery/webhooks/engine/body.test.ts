import { describe, expect, test } from 'vitest'
import { renderBody } from './body.ts'

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

describe('a body', () => {
  test('holds every section and omits none while the toggles are on', () => {
    const { body, omitted } = renderBody(event, all)
    expect(omitted).toEqual([])
    expect(JSON.parse(body)).toMatchObject({
      id: 'evt_1',
      type: 'response.completed',
      apiVersion: 'v1',
      data: { omitted: [], customData: { plan: 'pro' } },
    })
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
    const sent = {
      ...event,
      type: 'survey.sent',
      data: JSON.stringify({ surveyId: 'srv_1', channel: 'email', acceptedAt: event.createdAt }),
    }
    expect(
      JSON.parse(renderBody(sent, { include_answers: false, include_text: false, include_custom_data: false }).body)
        .data,
    ).toEqual({
      surveyId: 'srv_1',
      channel: 'email',
      acceptedAt: event.createdAt,
    })
  })
})
