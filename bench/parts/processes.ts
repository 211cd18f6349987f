import { readdirSync, readFileSync } from 'node:fs'

// Zero or NaN if the system does not tell. `/proc` of Linux does.

/** CPU seconds so far. */
export function cpuOf(pid: number): number {
  return statOf(pid).seconds
}

/** CPU seconds of a server and its backends, including ended ones. */
export function cpuOfPostgres(postmaster: number): number {
  const processes = process.platform === 'linux' ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : []
  const running = processes.map((name) => statOf(Number(name))).filter(({ parent }) => parent === postmaster)
  const own = statOf(postmaster)
  return running.reduce((sum, { seconds }) => sum + seconds, own.seconds + own.ofEnded)
}

export function parentOf(pid: number): number {
  return statOf(pid).parent
}

/** Resident megabytes, now or at most so far. */
export function memoryOf(pid: number, what: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  try {
    return (
      Number(new RegExp(`^${what}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
    )
  } catch {
    return Number.NaN
  }
}

/** The machine's monotonic clock in milliseconds, the same in all processes. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

function statOf(pid: number): { parent: number; seconds: number; ofEnded: number } {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    const ticks = (at: number) => Number(fields[at]) / 100
    return { parent: Number(fields[1]), seconds: ticks(11) + ticks(12), ofEnded: ticks(13) + ticks(14) }
  } catch {
    return { parent: 0, seconds: 0, ofEnded: 0 }
  }
}
