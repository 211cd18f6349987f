import { Pool } from 'undici'
import type { IsAnothers, SmsPort, VoicePort } from '../../platform/ports/phone-port.ts'
import { ProviderError, type Accepted } from '../../platform/ports/provider.ts'
import { retryAfterSeconds } from '../../platform/loop/retry.ts'
import type { Secret } from '../../platform/config/secrets.ts'
import { verdictOf } from './codes.ts'

export interface TwilioOptions {
  accountSid: string | null
  authToken: Secret | null
  baseUrl: string
}

export interface Twilio {
  sms: SmsPort
  voice: VoicePort
  close(): Promise<void>
}

const TIMEOUT_MS = 15_000
const LONGEST_ANSWER = 4 * 1024 * 1024
const API = '2010-04-01'
// One number and one person have few messages. The search ends after this many pages.
const PAGE_SIZE = 200
const MOST_PAGES = 10
/** How far Twilio's clock may be behind ours, and ours behind the moment of the call. */
const CLOCK_SLACK_MS = 5 * 60_000

/**
 * SMS and calls by Twilio's REST API (https://www.twilio.com/docs/messaging/api/message-resource,
 * …/voice/api/call-resource, …/phone-numbers/api/incomingphonenumber-resource).
 */
export function createTwilio({ accountSid, authToken, baseUrl }: TwilioOptions): Twilio {
  const { origin, pathname } = new URL(baseUrl)
  // Opened with the first call: a server that sends no SMS needs no account.
  let pool: Pool | null = null

  async function ask(method: 'GET' | 'POST', path: string, form?: string): Promise<Record<string, unknown>> {
    if (!accountSid || !authToken) throw new ProviderError('twilio_not_configured', 'refused')
    pool ??= new Pool(origin, {
      connections: 16,
      connectTimeout: TIMEOUT_MS,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
      maxResponseSize: LONGEST_ANSWER,
    })
    const { statusCode, headers, body } = await pool.request({
      method,
      path,
      headers: {
        authorization: `Basic ${Buffer.from(`${accountSid}:${authToken.reveal()}`).toString('base64')}`,
        'user-agent': 'Earshot',
        ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      body: form ?? null,
    })
    const answer = readAnswer(await body.text())
    if (statusCode < 300) return answer
    throw refusalOf(statusCode, answer, headers['retry-after'])
  }

  const pathOf = (resource: string) => `${pathname.replace(/\/$/, '')}/${API}/Accounts/${accountSid}/${resource}.json`

  async function create(resource: string, fields: Record<string, string | undefined>): Promise<Accepted> {
    return accepted(await ask('POST', pathOf(resource), formOf(fields)))
  }

  // Twilio lists the newest first. A filter by date leaves out messages that wait to be sent, so this reads all of the
  // pair.
  async function find(
    resource: 'Messages' | 'Calls',
    pair: { from: string; to: string },
    isIt: (found: Record<string, unknown>) => boolean,
    isAnothers: IsAnothers,
  ): Promise<Accepted | null> {
    let path: string | null =
      `${pathOf(resource)}?${formOf({ To: pair.to, From: pair.from, PageSize: String(PAGE_SIZE) })}`
    for (let page = 0; path !== null && page < MOST_PAGES; page++) {
      const answer: Record<string, unknown> = await ask('GET', path)
      for (const found of listed(answer[resource.toLowerCase()]).filter(isIt)) {
        const taken = accepted(found)
        if (!(await isAnothers(taken.providerId))) return taken
      }
      const next = answer['next_page_uri']
      path = typeof next === 'string' && next.startsWith('/') ? `${pathname.replace(/\/$/, '')}${next}` : null
    }
    return null
  }

  return {
    sms: {
      send: ({ to, from, body, statusUrl }) =>
        create('Messages', { To: to, From: from, Body: body, StatusCallback: statusUrl }),
      findSent: ({ to, from, body }, since, isAnothers) =>
        find('Messages', { to, from }, (message) => message['body'] === body && isSince(message, since), isAnothers),
      // The filter also finds numbers that hold this one.
      async owns(number) {
        const answer = await ask('GET', `${pathOf('IncomingPhoneNumbers')}?${formOf({ PhoneNumber: number })}`)
        return listed(answer['incoming_phone_numbers']).some(({ phone_number }) => phone_number === number)
      },
    },
    voice: {
      // Twilio asks this address what to say, and reports to it that the call is over, answered or not.
      call: ({ to, from, url }) =>
        create('Calls', {
          To: to,
          From: from,
          Url: url,
          Method: 'POST',
          StatusCallback: url,
          StatusCallbackMethod: 'POST',
        }),
      // A call shows neither its address nor anything else of ours: only numbers and time can be compared.
      findCall: ({ to, from }, since, isAnothers) =>
        find('Calls', { to, from }, (call) => isSince(call, since), isAnothers),
    },
    close: async () => pool?.close(),
  }
}

function refusalOf(
  status: number,
  { code }: Record<string, unknown>,
  retryAfter: string | string[] | undefined,
): ProviderError {
  const known = typeof code === 'number' && Number.isInteger(code) ? code : null
  return new ProviderError(`twilio_${known ?? status}`, verdictOf(status, known), retryAfterSeconds(retryAfter))
}

function accepted(answer: Record<string, unknown>): { providerId: string } {
  const { sid } = answer
  if (typeof sid !== 'string' || !/^\w{1,64}$/.test(sid)) throw new Error('Twilio answered without a sid')
  return { providerId: sid }
}

function formOf(fields: Record<string, string | undefined>): string {
  return new URLSearchParams(
    Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined),
  ).toString()
}

function readAnswer(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    // A proxy on the way answered in its own words.
    return {}
  }
}

function listed(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? (value as Record<string, unknown>[]) : []
}

// Twilio gives times to the second, in the form of RFC 2822. A call in its queue has none yet, so it is new.
function isSince({ date_created: createdAt }: Record<string, unknown>, since: Date): boolean {
  const at = Date.parse(String(createdAt))
  return Number.isNaN(at) || at >= since.getTime() - CLOCK_SLACK_MS
}
