import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent, request } from 'undici'
import { heavyRequests, type HeavyRequest, type Targets } from './heavy-requests.ts'

// Sends heavy requests from a process of its own, so that the process that measures has a processor to itself.
export interface Attacked {
  url: string
  token: string
  targets: Targets
}

export type Order = { attacked: Attacked } | { send: string[]; atOnce: number }

export interface Outcome {
  name: string
  status: number | string
  ms: number
}

export type Report = { names: string[]; parallel: Record<string, number> } | { outcomes: Outcome[] }

const agent = new Agent({ connections: 100, pipelining: 1, headersTimeout: 120_000, bodyTimeout: 120_000 })
// A page that a workspace previews.
const site = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<head>'.repeat(170_000))
})
site.listen(0, '127.0.0.1')
let attacked: Attacked | null = null
let requests = new Map<string, HeavyRequest>()

process.on('message', async (order: Order) => {
  if ('attacked' in order) {
    attacked = order.attacked
    if (!site.listening) await once(site, 'listening')
    const page = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
    requests = new Map(heavyRequests(attacked.targets, page).map((one) => [one.name, one]))
    const parallel = Object.fromEntries([...requests.values()].map(({ name, parallel: times }) => [name, times ?? 1]))
    return void process.send?.({ names: [...requests.keys()], parallel } satisfies Report)
  }
  const waiting = [...order.send]
  const outcomes: Outcome[] = []
  const attacker = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) outcomes.push(await attack(name))
  }
  await Promise.all(Array.from({ length: order.atOnce }, attacker))
  process.send?.({ outcomes } satisfies Report)
})
process.on('disconnect', () => process.exit())

async function attack(name: string): Promise<Outcome> {
  const heavy = requests.get(name)
  if (!heavy || !attacked) throw new Error(`there is no request ${name}`)
  const started = performance.now()
  const outcome = (status: number | string) => ({ name, status, ms: performance.now() - started })
  try {
    const answer = await request(`${attacked.url}${heavy.path}`, {
      method: heavy.method as 'POST',
      dispatcher: agent,
      headers: {
        ...(heavy.path.startsWith('/v1') && { authorization: `Bearer ${attacked.token}` }),
        ...(heavy.type && { 'content-type': heavy.type }),
        ...heavy.headers,
      },
      ...(heavy.body !== undefined && { body: heavy.body }),
    })
    for await (const _chunk of answer.body) void _chunk
    return outcome(answer.statusCode)
  } catch (error) {
    return outcome((error as { code?: string }).code ?? 'error')
  }
}
