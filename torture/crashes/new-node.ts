import { setTimeout as pause } from 'node:timers/promises'
import { databaseAt, dropOnNodes, query } from '../../src/testing/database/databases.ts'
import { drained, judgeResponses } from '../ledger.ts'
import { createClient, isAnswer, startLoad, until } from '../load.ts'
import { createRig, createWorkspace, submission } from '../rig.ts'
import { createJudge, quantile, type Given, type Verdict } from '../verdict.ts'

export interface NewNodeSize {
  responsesPerSecond: number
  tenants: number
  calmMs: number
}

const WEBHOOKS = 1
const MOVED_WITHIN_MS = 300_000
const DRAIN_MS = 120_000
// Row level security refuses the other mode: a subscription may not write such a table.
const TRANSFER = 'block_writes'

/** A node joins the cluster and takes its share of the tenants under load: nothing is lost. */
export async function runNewNode(
  { databaseUrl, nodeUrl, say }: Given & { nodeUrl: string },
  size: NewNodeSize,
): Promise<Verdict> {
  const rig = await createRig(databaseUrl)
  const name = new URL(databaseUrl).pathname.slice(1)
  try {
    const judge = createJudge()
    const { url } = await rig.serve({ ROLE: 'all' })
    const workspaces = await Promise.all(
      Array.from({ length: size.tenants }, (_, n) => createWorkspace(url, [rig.receiver.url(n)])),
    )
    const client = createClient({ timeoutMs: 60_000 })
    const acknowledged = new Set<string>()
    const refused: string[] = []
    const took: number[] = []
    const load = startLoad(size.responsesPerSecond, async (n) => {
      const path = workspaces[n % workspaces.length]?.submitPath
      const began = performance.now()
      const answer = await client.call('POST', `${url}${path}`, { body: submission(n) })
      took.push(performance.now() - began)
      if (isAnswer(answer) && answer.status === 201) acknowledged.add(answer.body.id)
      else refused.push(isAnswer(answer) ? `${answer.status}` : answer.code)
    })
    await pause(size.calmMs)
    await query(nodeUrl, `create database ${name}`)
    await query(databaseAt(nodeUrl, name), 'create extension citus')
    const { hostname, port } = new URL(nodeUrl)
    await rig.look('select citus_add_node($1, $2::int)', [hostname, port || 5432])
    const began = performance.now()
    await rig.look('select citus_rebalance_start(shard_transfer_mode => $1)', [TRANSFER])
    const moved = await until(
      async () => {
        const [job] = await rig.look<{ state: string }>('select state::text from citus_rebalance_status()')
        say(`rebalancing: ${job?.state}, ${acknowledged.size} acknowledged`)
        return job?.state === 'finished' || job === undefined
      },
      MOVED_WITHIN_MS,
      500,
    )
    const seconds = (performance.now() - began) / 1000
    await pause(size.calmMs)
    await load.stop()
    const [placed] = await rig.look<{ n: number }>(
      'select count(*)::int as n from citus_shards where nodename = $1 and nodeport = $2',
      [hostname, port || 5432],
    )
    judge.must('the new node has its share', moved && (placed?.n ?? 0) > 0, placed?.n)
    judge.must('every row ends delivered', await drained(rig, DRAIN_MS, (left) => say(`${left} rows to go`)))
    await judgeResponses(rig, judge, acknowledged, WEBHOOKS)
    const wrong = refused.filter((status) => status !== '503')
    judge.must('who waits for too long gets 503', wrong.length === 0, wrong[0])
    judge.fact('refused meanwhile', refused.length)
    judge.fact('acknowledged', acknowledged.size)
    judge.fact('shards on the new node', placed?.n ?? 0)
    judge.fact('seconds of rebalancing', Math.round(seconds))
    judge.fact(
      'captures, median and slowest',
      `${Math.round(quantile(took, 0.5))} and ${Math.round(quantile(took, 1))} ms`,
    )
    await client.close()
    return judge.verdict()
  } finally {
    await rig.stop()
    await dropOnNodes([nodeUrl], name)
  }
}
