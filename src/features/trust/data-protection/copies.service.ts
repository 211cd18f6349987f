import type { ExternalCopy } from '../../../platform/personal.ts'
import type { Found } from './found.service.ts'
import { keyOf } from './plan.ts'
import type { Run } from './steps.service.ts'

const BATCH = 100

/** Copies of what was found that left the server. */
export async function listCopies({ scope, declared }: Run, found: Found): Promise<ExternalCopy[]> {
  const copies: ExternalCopy[] = []
  for (const part of declared.stores) {
    const { listCopies: read } = part
    const keys = found[keyOf(part)] ?? []
    for (let at = 0; read && at < keys.length; at += BATCH)
      copies.push(...(await scope.read((tx) => read(scope, tx, keys.slice(at, at + BATCH)))))
  }
  return copies
}

/** Names each receiver once. Returns whether one is new. */
export function addCopies({ plan }: Run, copies: ExternalCopy[]): boolean {
  const known = new Set(plan.external.map(({ kind, target }) => `${kind} ${target}`))
  const fresh = copies.filter(({ kind, target }) => !known.has(`${kind} ${target}`))
  plan.external.push(...fresh)
  return fresh.length > 0
}
