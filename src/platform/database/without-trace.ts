import type { Scope } from '../scope.ts'
import type { TenantTx } from './database.ts'

class Tried extends Error {}

/** Runs a transaction and takes everything back that it did. Nothing is written, and nothing is woken. */
export async function withoutTrace<T>(scope: Scope, work: (tx: TenantTx) => Promise<T>): Promise<T> {
  const tried: { result?: T } = {}
  await scope
    .tx(async (tx) => {
      tried.result = await work(tx)
      throw new Tried()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Tried)) throw error
    })
  return tried.result as T
}
