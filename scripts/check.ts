// Everything that must hold before a change is done. `npm run check fast` leaves the tests out.
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { ROOT } from './project.ts'

// The longest first, so that none ends alone.
const STEPS = [
  ['types', 'types'],
  ['regular expressions', 'expressions:check'],
  ['lint', 'lint'],
  ['unused code and dependencies', 'unused'],
  ['openapi.json', 'openapi:check'],
  ['documents', 'docs:check'],
  ['words', 'words:check'],
  ['format', 'format:check'],
  ['licences and lock file', 'dependencies:check'],
] as const
const AT_ONCE = 2

const [only, ...more] = process.argv.slice(2)
if (more.length > 0 || (only !== undefined && only !== 'fast')) {
  console.error('Usage: npm run check [fast]')
  process.exit(1)
}

const failed: string[] = []
const steps = [...STEPS]
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let step = steps.shift(); step; step = steps.shift()) await check(step[0], step[1], 'pipe')
  }),
)
if (only !== 'fast') await check('tests', 'test', 'inherit')
if (failed.length > 0) {
  console.log(`\nnot done: ${failed.join(', ')}`)
  process.exitCode = 1
}

async function check(name: string, script: string, output: 'pipe' | 'inherit'): Promise<void> {
  const started = performance.now()
  const child = spawn('npm', ['run', '--silent', script], { cwd: ROOT, stdio: ['ignore', output, output] })
  const ended = new Promise<number | null>((resolve) => void child.once('close', resolve))
  const said = await Promise.all([child.stdout, child.stderr].map((stream) => (stream ? text(stream) : '')))
  const status = await ended
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`)
  if (status === 0) return
  failed.push(name)
  if (output === 'pipe') console.log(said.join('').trim().replace(/^/gm, '     '))
}
