import dns from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'

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
  const lookup = async (host: string) => {
    const lists = names[host]
    if (!lists) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
    const turn = asked.get(host) ?? 0
    asked.set(host, turn + 1)
    return (lists[turn % lists.length] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
  Object.assign(dns, { lookup })
  syncBuiltinESMExports()
}
