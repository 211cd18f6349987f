import { randomUUID } from 'node:crypto'
import twilio from 'twilio'
import { expect } from 'vitest'
import { startTestServer, type TestAnswer, type TestServer, type TestServerOptions } from '../../../testing/harness.ts'
import { nextNumber } from '../../../testing/makers.ts'
import type { TestWorkspace } from '../../../testing/fixtures.ts'

export const AUTH_TOKEN = 'tok_test_1'
export const BASE = 'https://feedback.example'

export function startCallbackServer(options: TestServerOptions = {}): Promise<TestServer> {
  return startTestServer({
    ...options,
    env: {
      PUBLIC_BASE_URL: BASE,
      TWILIO_ACCOUNT_SID: 'AC0123456789abcdef',
      TWILIO_AUTH_TOKEN: AUTH_TOKEN,
      ...options.env,
    },
  })
}

/** Posts a form as Twilio does, signed by its own package. */
export function postSigned(server: TestServer, path: string, form: Record<string, string>): Promise<TestAnswer> {
  const signature = twilio.getExpectedTwilioSignature(AUTH_TOKEN, `${BASE}${path}`, form)
  return postForm(server, path, form, { 'x-twilio-signature': signature })
}

export function postForm(
  server: TestServer,
  path: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  return server.request('POST', path, {
    body: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
}

/** A person who writes to one number. */
export interface Texter {
  phone: string
  /** Sends a text and returns the answer. '' means none. */
  text(body: string, rest?: Record<string, string>): Promise<string>
}

let people = 0

export function texter(server: TestServer, number: string, phone = `+1500556${String(1000 + (people += 1))}`): Texter {
  return {
    phone,
    async text(body, rest = {}) {
      const form = {
        MessageSid: `SM${randomUUID().replaceAll('-', '')}`,
        From: phone,
        To: number,
        Body: body,
        NumMedia: '0',
        ...rest,
      }
      const answer = await postSigned(server, '/public/twilio/sms', form)
      expect(answer, answer.text).toMatchObject({ status: 200 })
      return messageIn(answer)
    },
  }
}

export function messageIn(answer: TestAnswer): string {
  expect(answer.headers.get('content-type')).toMatch(/^text\/xml/)
  expect(Number(answer.headers.get('content-length'))).toBe(Buffer.byteLength(answer.text))
  if (answer.text.endsWith('<Response/>')) return ''
  const [, message] = /<Response><Message>([^]*)<\/Message><\/Response>$/.exec(answer.text) ?? []
  if (message === undefined) throw new Error(`no TwiML: ${answer.text}`)
  return unescaped(message)
}

export function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}

export async function addNumber(
  server: TestServer,
  workspace: TestWorkspace,
  body: object = {},
): Promise<{ id: string; number: string }> {
  const answer = await server.request('POST', '/v1/inbound-numbers', {
    token: workspace.token,
    body: { number: nextNumber(), ...body },
  })
  expect(answer, answer.text).toMatchObject({ status: 201 })
  return answer.body
}

/** The workspace's responses, newest first. */
export async function responsesOf(
  server: TestServer,
  workspace: TestWorkspace,
  query = '',
): Promise<TestAnswer['body'][]> {
  const answer = await server.request('GET', `/v1/responses?limit=100${query}`, { token: workspace.token })
  return answer.body.data
}

/** A person who calls one number. */
export interface Caller {
  callId: string
  phone: string
  /** Dials or answers. */
  begin(): Promise<CallAnswer>
  press(digits: string): Promise<CallAnswer>
  say(words: string, confidence?: number): Promise<CallAnswer>
  stayQuiet(): Promise<CallAnswer>
  hangUp(): Promise<CallAnswer>
}

export interface CallAnswer {
  /** The spoken words. '' if the call just ends. */
  said: string
  language: string | null
  /** The address of the next turn. Null once the call is over. */
  action: string | null
  twiml: string
}

export function caller(
  server: TestServer,
  path: string,
  {
    number,
    outbound = false,
    phone = `+1500557${String(1000 + (people += 1))}`,
  }: { number: string; outbound?: boolean; phone?: string },
): Caller {
  const callId = `CA${randomUUID().replaceAll('-', '')}`
  let next = path
  const post = async (rest: Record<string, string>): Promise<CallAnswer> => {
    const sides = outbound
      ? { From: number, To: phone, Direction: 'outbound-api' }
      : { From: phone, To: number, Direction: 'inbound' }
    const answer = await postSigned(server, next, { CallSid: callId, CallStatus: 'in-progress', ...sides, ...rest })
    expect(answer, answer.text).toMatchObject({ status: 200 })
    const heard = callAnswer(answer.text)
    next = heard.action ?? next
    return heard
  }
  return {
    callId,
    phone,
    begin: () => post({ CallStatus: 'ringing' }),
    press: (digits) => post({ Digits: digits, msg: 'Gather End' }),
    say: (words, confidence = 0.93) => post({ SpeechResult: words, Confidence: String(confidence) }),
    stayQuiet: () => post({}),
    hangUp: () => post({ CallStatus: 'completed' }),
  }
}

export function callAnswer(twiml: string): CallAnswer {
  const [, said] = /<Say[^>]*>([^]*)<\/Say>/.exec(twiml) ?? []
  const [, language] = /<Say language="([^"]*)">/.exec(twiml) ?? []
  const [, action] = /<Gather [^>]*action="([^"]*)"/.exec(twiml) ?? []
  const [, redirect] = /<Redirect method="POST">([^<]*)<\/Redirect>/.exec(twiml) ?? []
  expect(redirect).toBe(action)
  return {
    said: unescaped(said ?? ''),
    language: language ?? null,
    action: action === undefined ? null : unescaped(action),
    twiml,
  }
}
