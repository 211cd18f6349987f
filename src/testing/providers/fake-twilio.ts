import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface TwilioRecord {
  sid: string
  /** `queued` unless a test changes it. A filter by date finds only sent ones. */
  status: string
  to: string
  from: string
  body?: string
  url?: string
  createdAt: Date
  fields: Record<string, string>
}

export interface FakeTwilio {
  url: string
  messages: TwilioRecord[]
  calls: TwilioRecord[]
  /** The number of requests, including refused ones and look-ups. */
  requests: number
  /** The numbers of the account. If not empty, other sender numbers are refused. */
  owned: Set<string>
  /** Recipients who told Twilio to stop. */
  optedOut: Set<string>
  /** Answers every request with this, until it is null again. */
  refuseWith: { status: number; body?: string; headers?: Record<string, string> } | null
  /** Accepts the next messages and calls, and breaks the connection before the answer. */
  loseAnswers: boolean
  /** Runs after a message or call was accepted and listed, and before the answer. `false` breaks the connection. */
  onAccepted: ((record: TwilioRecord) => boolean | void | Promise<boolean | void>) | null
  /** The time of its records. Default: now. */
  now: () => Date
  close(): Promise<void>
}

const ACCOUNT = 'AC0123456789abcdef'
const E164 = /^\+[1-9]\d{6,14}$/

/**
 * Twilio's endpoints for messages and calls, as far as Earshot uses them. It refuses the same requests with the same
 * codes.
 */
export async function startFakeTwilio({ accountSid = ACCOUNT, authToken = 'tok_test_1' } = {}): Promise<FakeTwilio> {
  const fake: FakeTwilio = {
    url: '',
    messages: [],
    calls: [],
    requests: 0,
    owned: new Set(),
    optedOut: new Set(),
    refuseWith: null,
    loseAnswers: false,
    onAccepted: null,
    now: () => new Date(),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      void answer(fake, { accountSid, authToken }, request, Buffer.concat(chunks).toString('utf8'), response).catch(
        () => response.destroy(),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return fake
}

async function answer(
  fake: FakeTwilio,
  account: { accountSid: string; authToken: string },
  request: IncomingMessage,
  body: string,
  response: ServerResponse,
): Promise<void> {
  fake.requests += 1
  const { accountSid, authToken } = account
  const url = new URL(request.url ?? '/', 'http://twilio.example')
  if (fake.refuseWith)
    return void response.writeHead(fake.refuseWith.status, fake.refuseWith.headers).end(fake.refuseWith.body ?? '')
  if (request.headers.authorization !== `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`) {
    return refuse(response, 401, 20003, 'Authentication Error - invalid username')
  }
  if (request.method === 'GET' && url.pathname === `/2010-04-01/Accounts/${accountSid}/IncomingPhoneNumbers.json`) {
    const wanted = url.searchParams.get('PhoneNumber') ?? ''
    const found = [...fake.owned].filter((number) => number.includes(wanted))
    const numbers = found.map((number) => ({ phone_number: number }))
    return void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ incoming_phone_numbers: numbers }))
  }
  const [, resource] =
    new RegExp(`^/2010-04-01/Accounts/${accountSid}/(Messages|Calls)\\.json$`).exec(url.pathname) ?? []
  if (resource === undefined)
    return refuse(response, 404, 20404, `The requested resource ${url.pathname} was not found`)
  const records = resource === 'Messages' ? fake.messages : fake.calls
  if (request.method === 'GET') return list(response, records, resource, url)
  if (request.method !== 'POST') return refuse(response, 405, 20004, 'Method not allowed')
  if (!request.headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
    return refuse(response, 400, 20001, 'Unsupported content type')

  const fields = Object.fromEntries(new URLSearchParams(body))
  const problem = resource === 'Messages' ? messageProblem(fake, fields) : callProblem(fake, fields)
  if (problem) return refuse(response, 400, ...problem)
  const record: TwilioRecord = {
    sid: `${resource === 'Messages' ? 'SM' : 'CA'}${randomBytes(16).toString('hex')}`,
    status: 'queued',
    to: fields['To'] ?? '',
    from: fields['From'] ?? '',
    createdAt: fake.now(),
    fields,
    ...(resource === 'Messages' ? { body: fields['Body'] ?? '' } : { url: fields['Url'] ?? '' }),
  }
  records.push(record)
  if ((await fake.onAccepted?.(record)) === false || fake.loseAnswers) return void request.socket.destroy()
  response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(present(record)))
}

function messageProblem(fake: FakeTwilio, { To, From, Body }: Record<string, string>): [number, string] | null {
  if (!To) return [21604, "A 'To' phone number is required."]
  if (!From) return [21603, "A 'From' phone number is required."]
  if (!Body) return [21602, 'Message body is required.']
  if (!E164.test(To)) return [21211, `The 'To' number ${To} is not a valid phone number.`]
  if (Body.length > 1_600) return [21617, 'The concatenated message body exceeds the 1600 character limit.']
  if (fake.owned.size > 0 && !fake.owned.has(From))
    return [21606, `The 'From' phone number ${From} is not a valid, SMS-capable number for your account.`]
  return fake.optedOut.has(To) ? [21610, 'Attempt to send to unsubscribed recipient'] : null
}

function callProblem(fake: FakeTwilio, { To, From, Url }: Record<string, string>): [number, string] | null {
  if (!To) return [21201, "No 'To' number specified"]
  if (!From) return [21213, "Caller phone number required. 'From' parameter is required."]
  if (!Url || !/^https?:\/\//.test(Url)) return [21205, 'Url is not a valid URL']
  if (!E164.test(To)) return [21211, `The phone number you are attempting to call, ${To}, is not valid.`]
  return fake.owned.size > 0 && !fake.owned.has(From)
    ? [21210, `The source phone number provided, ${From}, is not yet verified for your account.`]
    : null
}

function list(response: ServerResponse, records: TwilioRecord[], resource: string, url: URL): void {
  const [to, from] = [url.searchParams.get('To'), url.searchParams.get('From')]
  const day = url.searchParams.get('DateSent>') ?? url.searchParams.get('StartTime>')
  const found = records
    .filter((record) => (to === null || record.to === to) && (from === null || record.from === from))
    .filter(
      (record) => day === null || (record.status !== 'queued' && record.createdAt.toISOString().slice(0, 10) >= day),
    )
    .toReversed()
  const size = Math.min(1_000, Number(url.searchParams.get('PageSize') ?? 50))
  const page = Number(url.searchParams.get('Page') ?? 0)
  const next = new URL(url)
  next.searchParams.set('Page', String(page + 1))
  response.writeHead(200, { 'content-type': 'application/json' }).end(
    JSON.stringify({
      [resource.toLowerCase()]: found.slice(page * size, (page + 1) * size).map(present),
      page,
      page_size: size,
      next_page_uri: found.length > (page + 1) * size ? `${next.pathname}${next.search}` : null,
    }),
  )
}

// A message has its date at once. A waiting call has none yet.
function present({ sid, status, to, from, body, createdAt }: TwilioRecord): Record<string, unknown> {
  const date = createdAt.toUTCString().replace('GMT', '+0000')
  const dateOnceBegun = status === 'queued' ? null : date
  if (body === undefined) return { sid, status, to, from, date_created: dateOnceBegun, start_time: dateOnceBegun }
  return { sid, status, to, from, body, date_created: date, date_sent: dateOnceBegun }
}

function refuse(response: ServerResponse, status: number, code: number, message: string): void {
  const problem = { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status }
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(problem))
}
