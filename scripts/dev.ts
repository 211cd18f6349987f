// Runs the server and the build of the pages, and both again after each change.
import { spawn } from 'node:child_process'
import { ROOT } from './project.ts'

const server = ['--watch', '--watch-kill-signal=SIGINT', '--max-semi-space-size=16', '--heap-growing-percent=50']
const running = [
  ['scripts/build.ts', '--watch'],
  [...server, 'src/main.ts'],
].map((args) => spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit' }))
for (const child of running) {
  child.on('exit', (code) => {
    process.exitCode ??= code ?? 0
    for (const other of running) other.kill('SIGINT')
  })
}
// A terminal sends the signal to all of them. Each ends by itself.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {
  for (const child of running) child.kill('SIGTERM')
})
