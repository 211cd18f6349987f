import { expect, test } from 'vitest'
import { createChat } from '../../platform/ports/chat.ts'
import { BlockedUrlError, OutboundError, type OutboundAnswer } from '../../platform/ports/ports.ts'
import { outcomeOf as teams } from '../teams/teams.ts'
import { slack } from './slack.ts'
import { outcomeOf } from './codes.ts'

const answer = (status: number, excerpt = '', retryAfter: string | null = null): OutboundAnswer => ({
  status,
  excerpt,
  retryAfter,
  headers: {},
  address: null,
})

test.each([
  [answer(200, 'ok'), 'taken', null],
  [answer(200, '{"success":true}'), 'taken', null],
  [answer(200, '<html>'), 'failed', 'slack_unexpected_answer'],
  [answer(302), 'failed', 'slack_redirect'],
  [answer(400, 'invalid_payload'), 'refused', 'slack_invalid_payload'],
  [answer(403, 'action_prohibited'), 'failed', 'slack_action_prohibited'],
  [answer(403, 'invalid_token'), 'gone', 'slack_invalid_token'],
  [answer(404, 'no_service'), 'gone', 'slack_no_service'],
  [answer(404, '<html>'), 'failed', 'slack_404'],
  [answer(410, 'channel_is_archived'), 'gone', 'slack_channel_is_archived'],
  [answer(429, '', '30'), 'failed', 'slack_429'],
  [answer(500, 'rollup_error'), 'failed', 'slack_rollup_error'],
])('Slack answers %j: %s', (given, state, code) => {
  expect(outcomeOf(given)).toMatchObject({ state, ...(code !== null && { code }) })
})

test.each([
  [answer(200, '1'), 'taken'],
  [answer(202), 'taken'],
  [
    answer(200, 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429'),
    'failed',
  ],
  [answer(400), 'refused'],
  [answer(403), 'failed'],
  [answer(404), 'gone'],
  [answer(410), 'gone'],
  [answer(502), 'failed'],
])('Teams answers %j: %s', (given, state) => {
  expect(teams(given)).toMatchObject({ state })
})

test('the wait that a chat asks for is kept', () => {
  expect(outcomeOf(answer(429, '', '30'))).toMatchObject({ retryAfter: 30 })
})

test.each([
  [new OutboundError('timeout', 'no complete answer'), 'slack_timeout'],
  [new OutboundError('network', 'the connection was refused'), 'slack_network'],
  [new BlockedUrlError(), 'slack_blocked_url'],
  [new TypeError('a fault'), 'slack_error'],
])('a call that ends with %s is a failure and throws nothing', async (error, code) => {
  const chat = createChat({ post: () => Promise.reject(error) }, { slack, teams: slack })
  const message = { title: 'A', lines: [], items: [], linkText: 'Open' }
  expect(await chat.send('slack', 'https://hooks.slack.com/x', message)).toEqual({
    state: 'failed',
    code,
    retryAfter: null,
  })
})
