import { randomUUID } from 'node:crypto'
import { createOnNodes, databaseAt, dropOnNodes, listNodes } from '../../src/testing/database/databases.ts'
import { runKills } from './kills.ts'
import { runNewNode } from './new-node.ts'
import { runNodeDeath } from './node-death.ts'
import type { Given, Verdict } from '../verdict.ts'

/** The runs on the cluster of CLUSTER_DATABASE_URL. How a node dies and returns is a setting: only its owner knows. */
export const CLUSTER_RUNS: Record<string, (given: Given) => Promise<Verdict>> = {
  kills: (given) => runKills(given, { kills: 20, everyMs: 1_500, deliveriesPerSecond: 60, endLeases: false }),
  'node-death': (given) =>
    runNodeDeath(
      {
        ...given,
        node: {
          name: setting('CLUSTER_NODE'),
          kill: setting('CLUSTER_NODE_KILL'),
          start: setting('CLUSTER_NODE_START'),
        },
      },
      { rounds: 5, responsesPerSecond: 30, awayMs: 8_000, pauseMs: 15_000 },
    ),
  'new-node': (given) =>
    runNewNode(
      { ...given, nodeUrl: setting('CLUSTER_NEW_NODE_URL') },
      { responsesPerSecond: 30, tenants: 6, calmMs: 5_000 },
    ),
}

/** An empty database on every node of a cluster. */
export async function createClusterDatabase(coordinator: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `earshot_torture_${randomUUID().slice(0, 8)}`
  const nodes = await listNodes(coordinator)
  await createOnNodes(nodes, name, 'template0')
  return { url: databaseAt(coordinator, name), drop: () => dropOnNodes(nodes, name) }
}

function setting(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set (docs/scaling.md, "Test a cluster")`)
  return value
}
