import { Resolver } from 'node:dns/promises'

// Loaded into a process of Earshot before its own code: a host whose clock is wrong, or whose names change.
const offsetMs = Number(process.env['HOST_CLOCK_OFFSET_MS'] ?? 0)
if (offsetMs !== 0) {
  const Real = Date
  globalThis.Date = class extends Real {
    constructor(...given: [] | [number | string | Date]) {
      super(...((given.length === 0 ? [Real.now() + offsetMs] : given) as [number]))
    }
    static override now(): number {
      return Real.now() + offsetMs
    }
  } as DateConstructor
}

// Each name has lists of addresses: one list a look-up, round and round.
const names = JSON.parse(process.env['HOST_NAMES'] ?? '{}') as Record<string, string[][]>
if (Object.keys(names).length > 0) {
  const asked = new Map<string, number>()
  const addressesOf = (host: string, fits: (address: string) => boolean) => {
    const lists = names[host]
    const fitting = lists?.[(asked.get(host) ?? 0) % lists.length]?.filter(fits) ?? []
    if (fitting.length === 0) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
    return fitting
  }
  // A look-up asks for both kinds, for those of IPv4 first.
  Object.assign(Resolver.prototype, {
    async resolve4(host: string) {
      asked.set(host, (asked.get(host) ?? -1) + 1)
      return addressesOf(host, (address) => !address.includes(':'))
    },
    async resolve6(host: string) {
      return addressesOf(host, (address) => address.includes(':'))
    },
  })
}
