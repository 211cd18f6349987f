// Everything that must hold on a Citus cluster, on databases of its own.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { ROOT } from './project.ts'

const SETTINGS: Record<string, string> = {
  CLUSTER_DATABASE_URL: "a superuser's URL of the coordinator, to a database in which the nodes are added",
  CLUSTER_NODE: 'the worker node that dies, as the coordinator names it: host:port',
  CLUSTER_NODE_KILL: 'the shell command that kills it',
  CLUSTER_NODE_START: 'the shell command that starts it again, and returns when it is up',
  CLUSTER_NEW_NODE_URL: "a superuser's URL of a server with Citus that is not yet a node of the cluster",
}
const FILES = [
  'src/testing/cluster/',
  'src/house/privacy/isolation.test.ts',
  'src/house/privacy/retention.test.ts',
  'src/features/answers/capture/capture.test.ts',
  'src/features/answers/reporting/report/reporting.test.ts',
  'src/features/answers/reporting/rollups/rollups.property.test.ts',
  'src/features/answers/verbatim',
  'src/features/delivery/webhooks/engine/completed-response.test.ts',
  'src/features/delivery/webhooks/engine/failures.test.ts',
  'src/features/exports',
  'src/features/outreach/messages',
  'src/features/outreach/segments',
  'src/features/programme',
  'src/features/trust/data-protection',
]

const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' } } })
if (!/^\d{1,10}$/.test(values.seed)) {
  process.stderr.write('--seed takes a whole number.\n')
  process.exit(2)
}
const missing = Object.entries(SETTINGS).filter(([name]) => !process.env[name])
if (missing.length > 0) {
  process.stderr.write('Set these first (docs/scaling.md, "Test a cluster"):\n')
  for (const [name, meaning] of missing) process.stderr.write(`  ${name}: ${meaning}\n`)
  process.exit(1)
}
const steps = [
  ['node_modules/.bin/vitest', 'run', '--config', 'vitest.cluster.config.ts', ...FILES],
  [process.execPath, 'torture/run.ts', 'kills', 'node-death', 'new-node', '--seed', values.seed],
]
for (const [command = '', ...args] of steps) {
  const { status } = spawnSync(command, args, {
    cwd: ROOT,
    env: { ...process.env, FUZZ_SEED: values.seed },
    stdio: 'inherit',
  })
  if (status !== 0) process.exitCode = 1
}
