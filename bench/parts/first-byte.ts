import { Agent, request } from 'undici'
import { startOwnPostgres } from '../../src/testing/database/postgres.ts'
import { startProcess } from '../../src/testing/process.ts'
import { createApi, openArrival, untilReady } from './load.ts'
import { median, percentile, SECRETS_KEY } from './rig.ts'

const PER_SECOND = 200
const SECONDS = 5
const PAIRS = 5
// As every browser asks for a page.
const HEADERS = { accept: 'text/html', 'accept-encoding': 'gzip, br' }

export interface FirstByte {
  /** Milliseconds, the median of the rounds' p50. */
  page: number
  file: number
  /** The median of the rounds' ratios. */
  ratio: number
}

/**
 * The time to the first byte of a survey's page against that of a built file, at 200 requests a second by open arrival.
 * The server is a process of its own on PostgreSQL. The rounds take turns.
 */
export async function firstByte(survey: object): Promise<FirstByte> {
  const postgres = await startOwnPostgres(['fsync=off'])
  const server = startProcess({ DATABASE_URL: postgres.url('postgres'), SECRETS_KEY, LOG_LEVEL: 'error', ROLE: 'api' })
  const agent = new Agent({ connections: 128, pipelining: 1 })
  try {
    const base = await server.url
    await untilReady(base)
    const page = `${base}/public/s/${await publish(base, survey)}`
    const { body } = await request(page, { headers: { accept: 'text/html' } })
    const file = `${base}${/src="(\/assets\/[^"]+)"/.exec(await body.text())?.[1]}`
    const p50 = async (url: string) => percentile(await load(agent, url), 50)
    await p50(page)
    await p50(file)
    const rounds: Array<{ page: number; file: number }> = []
    for (let pair = 0; pair < PAIRS; pair++) rounds.push({ page: await p50(page), file: await p50(file) })
    return {
      page: median(rounds.map((round) => round.page)),
      file: median(rounds.map((round) => round.file)),
      ratio: median(rounds.map((round) => round.page / round.file)),
    }
  } finally {
    await agent.close()
    await server.kill('SIGTERM')
    await postgres.stop()
  }
}

/** Milliseconds to the first byte of each answer. The rest of it is read too. */
async function load(agent: Agent, url: string): Promise<number[]> {
  const rest: Promise<unknown>[] = []
  const times = await openArrival(PER_SECOND, SECONDS, async () => {
    const { statusCode, body } = await request(url, { headers: HEADERS, dispatcher: agent })
    if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`)
    rest.push(body.dump())
  })
  await Promise.all(rest)
  return times
}

async function publish(base: string, survey: object): Promise<string> {
  const api = createApi(base)
  const workspace = { workspace_name: 'Bench', name: 'Bench', email: 'bench@example.com', password: 'a long password' }
  const { token } = await api.post<{ token: string }>('/public/workspaces', workspace)
  const { id } = await api.post<{ id: string }>('/v1/surveys', { name: 'Bench', ...survey }, token)
  await api.post(`/v1/surveys/${id}/publish`, {}, token)
  await api.close()
  return id
}
