import { Agent, request } from 'node:http'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { startReceiver } from '../../testing/receiver.ts'
import { NPS_SURVEY } from '../../testing/makers.ts'
import {
  account,
  cleanUpBy,
  fresh,
  post,
  ready,
  SECRETS_KEY,
  start,
  useServerProcesses,
} from '../../testing/server-processes.ts'

useServerProcesses()

const REQUESTS = 1_500
const ROUNDS = 3
const AT_ONCE = 6
// A full collection in the middle of work moves what is under way into the old space.
const WATCHING = `data:text/javascript,${encodeURIComponent(`
  import { setFlagsFromString } from 'node:v8'
  import { runInNewContext } from 'node:vm'
  setFlagsFromString('--expose-gc')
  setFlagsFromString('--trace-gc')
  const collect = runInNewContext('gc')
  process.on('SIGUSR2', () => collect())
`)}`

test('what an answer and its delivery held is gone after two small collections', async () => {
  const receiver = await startReceiver()
  cleanUpBy(() => receiver.close())
  const server = start({ DATABASE_URL: await fresh(), SECRETS_KEY, NODE_OPTIONS: `--import ${WATCHING}` })
  const url = await ready(server)
  const { token } = (await post(url, '/public/workspaces', account('ada@example.com'))).body
  const { id } = (await post(url, '/v1/surveys', NPS_SURVEY, token)).body
  expect((await post(url, `/v1/surveys/${id}/publish`, {}, token)).status).toBe(200)
  expect((await post(url, '/v1/webhooks', { url: receiver.url }, token)).status).toBe(201)
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  cleanUpBy(async () => agent.destroy())
  const answer = async () => {
    const sent = request(`${url}/public/surveys/${id}/responses`, {
      agent,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    })
    sent.end('{"answers":{"q1":9}}')
    const [response] = await once(sent, 'response')
    response.resume()
    await once(response, 'end')
    return response.statusCode
  }
  const answerMany = async (many: number) => {
    const lines = Array.from({ length: AT_ONCE }, async () => {
      for (let n = 0; n < many / AT_ONCE; n++) expect(await answer()).toBe(201)
    })
    await Promise.all(lines)
  }
  await answerMany(REQUESTS)
  const kept: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const [, from] = await Promise.all([
      answerMany(REQUESTS / 10),
      answer().then(() => (process.kill(server.pid, 'SIGUSR2'), server.stdout().length)),
    ])
    await answerMany(REQUESTS)
    kept.push((keptMib(server.stdout().slice(from)) / REQUESTS) * 1024)
  }
  // Work under way in the full collection may hold something long. It does not come again.
  expect(Math.min(...kept), `KiB of each: ${kept.join(', ')}`).toBeLessThan(5)
}, 120_000)

/** The memory that small collections left in the old space, by the lines that V8 writes of them. */
function keptMib(trace: string): number {
  const collections = [...trace.matchAll(/(Scavenge|Mark-Compact).*? -> ([\d.]+) \(/g)].map(([, kind, mib]) => ({
    isSmall: kind === 'Scavenge',
    mib: Number(mib),
  }))
  expect(collections.filter(({ isSmall }) => isSmall).length).toBeGreaterThan(4)
  return collections.reduce((sum, { isSmall, mib }, at) => {
    const before = collections[at - 1]
    return isSmall && before?.isSmall ? sum + mib - before.mib : sum
  }, 0)
}
