// Everything that must hold before a change is done. `npm run check fast` leaves the tests out.
import { spawnSync } from 'node:child_process'
import { ROOT } from './project.ts'

const STEPS = [
  ['types', 'types'],
  ['lint', 'lint'],
  ['regular expressions', 'expressions:check'],
  ['format', 'format:check'],
  ['words', 'words:check'],
  ['unused code and dependencies', 'unused'],
  ['openapi.json', 'openapi:check'],
  ['documents', 'docs:check'],
  ['licences and lock file', 'dependencies:check'],
  ['tests', 'test'],
] as const

const [only, ...more] = process.argv.slice(2)
if (more.length > 0 || (only !== undefined && only !== 'fast')) {
  console.error('Usage: npm run check [fast]')
  process.exit(1)
}

const failed: string[] = []
for (const [name, script] of STEPS) {
  if (script === 'test' && only === 'fast') continue
  const started = performance.now()
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', script], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: script === 'test' ? 'inherit' : 'pipe',
    maxBuffer: 64 * 1024 * 1024,
  })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`)
  if (status === 0) continue
  failed.push(name)
  if (script !== 'test') console.log(`${stdout}${stderr}`.trim().replace(/^/gm, '     '))
}
if (failed.length > 0) {
  console.log(`\nnot done: ${failed.join(', ')}`)
  process.exitCode = 1
}
