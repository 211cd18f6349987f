import type { TenantTx } from '../../../platform/database.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { ResponseRow } from '../../answers/responses/responses.service.ts'
import * as store from './people.store.ts'

/** Notes the last response of a person, in the transaction that completes or releases it. */
export async function rememberResponse(_scope: Scope, tx: TenantTx, row: ResponseRow): Promise<void> {
  const { person_id, completed_at: at, score, band } = row
  if (person_id && at) await store.stampResponded(tx, person_id, { at, score, band })
}
