// The long tier: what takes an hour or more, with new random seeds. Each failure is printed with the command that
// repeats it.
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { ROOT } from './project.ts'

const { values } = parseArgs({ options: { seed: { type: 'string' } } })
const seed = values.seed ?? String(randomInt(1, 2_147_483_647))
if (!/^\d{1,10}$/.test(seed)) {
  console.error('--seed takes a whole number.')
  process.exit(2)
}

interface Step {
  name: string
  arguments: string[]
  /** How many times the runs of `npm test`. */
  fuzzRuns?: number
}

const STEPS: Step[] = [
  { name: 'the rest, with more random runs', arguments: ['run', 'test:rest'], fuzzRuns: 20 },
  {
    name: '500 random requests a route on the embedded database',
    arguments: ['run', 'test:rest', '--', 'src/house/api/random-requests-pglite.slow.test.ts'],
    fuzzRuns: 100,
  },
  { name: 'every regular expression, judged again', arguments: ['run', 'expressions:check', '--', '--all'] },
  { name: 'torture', arguments: ['run', 'torture', '--', '--seed', seed] },
]

console.log(`seed ${seed}`)
const failed = STEPS.filter((step) => {
  const env = step.fuzzRuns ? { FUZZ_SEED: seed, FUZZ_RUNS: String(step.fuzzRuns) } : {}
  const command = `${Object.entries(env)
    .map(([name, value]) => `${name}=${value} `)
    .join('')}npm ${step.arguments.join(' ')}`
  console.log(`\n--- ${step.name}\n${command}`)
  const { status } = spawnSync('npm', step.arguments, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } })
  if (status !== 0) console.log(`\nFAIL ${step.name}. This repeats it:\n${command}`)
  return status !== 0
})
if (failed.length > 0) {
  console.log(`\nnot right: ${failed.map(({ name }) => name).join(', ')}`)
  process.exitCode = 1
}
