import type { TenantTx } from '../../../platform/database.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { ResponseRow } from './response-row.ts'

/** Hears of a response in the transaction that completes or releases it. */
export type CompletionListener = (scope: Scope, tx: TenantTx, row: ResponseRow) => Promise<void>

const listeners: CompletionListener[] = []

/** Called once for each listener at start, by `features.ts`. */
export function onCompleted(listener: CompletionListener): void {
  listeners.push(listener)
}

export async function tellCompleted(scope: Scope, tx: TenantTx, row: ResponseRow): Promise<void> {
  for (const listener of listeners) await listener(scope, tx, row)
}
