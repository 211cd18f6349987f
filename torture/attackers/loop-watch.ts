import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

// Loaded into a process before its own code: notes each round of the event loop that took more of the processor than a
// step may. The thread's own processor time, so a busy machine changes nothing.
const file = process.env['LOOP_WATCH_FILE'] ?? ''
const NOTED_MS = 20

let before = process.threadCpuUsage()
function round(): void {
  const { user, system } = process.threadCpuUsage(before)
  const ms = (user + system) / 1_000
  if (ms > NOTED_MS) appendFileSync(file, `${ms.toFixed(1)}\n`)
  before = process.threadCpuUsage()
  // Not an immediate: that would keep the loop turning.
  setTimeout(round, 1).unref()
}
if (isMainThread) round()
