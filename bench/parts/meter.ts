import { setTimeout as pause } from 'node:timers/promises'
import { cpuOf, cpuOfPostgres } from './processes.ts'
import type { Receiver } from './rig.ts'
import type { Respondents } from './respondents.ts'
import type { Installation } from './installation.ts'

const DRAIN_MS = 60_000

export interface Reading {
  at: number
  accepted: number
  delivered: number
  cpu: { product: number; database: number; client: number; receiver: number }
}

/** Says what was accepted and delivered from now on, and the CPU seconds of each process. */
export async function startMeter(
  { product, database }: Installation,
  respondents: Respondents,
  receiver: Receiver,
): Promise<() => Promise<Reading>> {
  const read = async (): Promise<Reading> => ({
    at: performance.now(),
    accepted: await respondents.accepted(),
    delivered: (await receiver.ask<{ received: number }>('received')).received,
    cpu: {
      product: cpuOf(product.pid),
      database: database?.postmaster ? cpuOfPostgres(database.postmaster) : Number.NaN,
      client: cpuOf(respondents.pid),
      receiver: cpuOf(receiver.process.pid ?? 0),
    },
  })
  const first = await read()
  return async () => {
    const now = await read()
    return { ...now, accepted: now.accepted - first.accepted, delivered: now.delivered - first.delivered }
  }
}

/** Waits for the deliveries of what was accepted, for so long as a user might. */
export async function drained(meter: () => Promise<Reading>): Promise<Reading> {
  const deadline = performance.now() + DRAIN_MS
  for (;;) {
    const now = await meter()
    if (now.delivered >= now.accepted || now.at > deadline) return now
    await pause(50)
  }
}

export interface Span {
  /** Each a second. */
  accepted: number
  delivered: number
  /** Microseconds for each delivery. */
  cpu: Reading['cpu']
}

export function between(a: Reading, b: Reading): Span {
  const elapsed = (b.at - a.at) / 1000
  const each = (part: keyof Reading['cpu']) => ((b.cpu[part] - a.cpu[part]) / (b.delivered - a.delivered)) * 1e6
  return {
    accepted: (b.accepted - a.accepted) / elapsed,
    delivered: (b.delivered - a.delivered) / elapsed,
    cpu: { product: each('product'), database: each('database'), client: each('client'), receiver: each('receiver') },
  }
}

export function cpuText({ cpu }: Span): string {
  const part = (name: keyof Span['cpu']) => (Number.isNaN(cpu[name]) ? '' : `${name} ${cpu[name].toFixed(0)} µs`)
  return `CPU of each ${[part('product'), part('database')].filter(Boolean).join(', ')} (${part('client')}, ${part('receiver')})`
}
