import { describe, expect, test } from 'vitest'
import { matches } from './subscription.ts'

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
