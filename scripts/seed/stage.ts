import type { TestClock } from '../../src/platform/loop/clock.ts'
import type { Principal } from '../../src/platform/principal.ts'
import { createSystemScope, type Scope, type SystemScope } from '../../src/platform/scope.ts'
import type { Id, TenantId } from '../../src/platform/ids.ts'
import type { Services } from '../../src/services.ts'
import { features } from '../../src/features.ts'
import type { Chance } from './chance.ts'
import type { DemoAgent, DemoPerson } from './people.ts'
import type { Programme } from './texts.ts'

/** The workspace under construction, and the ways to act in it at any time. */
export interface Stage {
  services: Services
  clock: TestClock
  chance: Chance
  /** The start of the present day. History ends here. */
  today: Date
  surveys: Record<Programme, Id<'survey'>>
  agents: DemoAgent[]
  /** By external id. */
  agentIds: Map<string, Id<'agent'>>
  people: DemoPerson[]
  system: SystemScope
  /** The owner at a time. */
  owner(at: Date): Scope
  /** A respondent at a time. */
  respondent(at: Date): Scope
}

export const DAY_MS = 86_400_000
export const HOUR_MS = 3_600_000
const AT_ONCE = 64
const SWEEPS_AT_MOST = 500

/** The same scope with a clock that stands still. */
export function systemAt(system: SystemScope, at: Date): SystemScope {
  return createSystemScope({ ...system, clock: { now: () => at } })
}

export function scopesOf(
  system: SystemScope,
  tenantId: TenantId,
  principal: Principal,
): Pick<Stage, 'owner' | 'respondent'> {
  return {
    owner: (at) => systemAt(system, at).tenant(tenantId, principal),
    respondent: (at) => systemAt(system, at).tenant(tenantId, { type: 'respondent' }),
  }
}

export function daysBefore(today: Date, days: number): Date {
  return new Date(today.getTime() - days * DAY_MS)
}

/** How many of these steps, so many hours after a moment, were taken before today. */
export function stepsTaken(from: Date, hours: readonly number[], today: Date): number {
  return hours.filter((each) => from.getTime() + each * HOUR_MS < today.getTime()).length
}

/** Does work for each item, in order, some at a time. */
export async function forEach<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE) await Promise.all(items.slice(at, at + AT_ONCE).map(work))
}

/** Runs a sweep until nothing is left for it. */
export async function runSweep({ services }: Pick<Stage, 'services'>, name: string): Promise<void> {
  const sweep = features.flatMap(({ sweeps = [] }) => sweeps).find((each) => each.name === name)
  if (!sweep) throw new Error(`there is no sweep ${name}`)
  const options = { limit: 1_000, signal: new AbortController().signal, renew: async () => true }
  for (let runs = 0; runs < SWEEPS_AT_MOST; runs += 1)
    if ((await services.run((system) => sweep.run(system, options))) === 0) return
}
