import type { TenantTx } from '../../../platform/database/database.ts'
import { formatId } from '../../../platform/ids.ts'
import type { PersonalData } from '../../../platform/personal.ts'
import { forgetContacts } from '../../trust/data-protection/contacts.service.ts'
import * as runs from './runs.store.ts'

/**
 * Documents of reports. A group of a chart has the name of what somebody typed into a field, which may be an address.
 * They are found by the index of typed contacts, and never read: a PDF cannot be.
 */
export const personal: PersonalData = {
  stores: [
    {
      store: 'reports',
      table: 'report_runs',
      columns: ['document'],
      find: async (_scope, tx, _person, { typedIn }) => ({
        keys: (await runs.listDocumented(tx, await typedIn('report_runs'))).map(({ id }) => id),
      }),
      async erase(_scope, tx, keys) {
        const removed = await runs.removeDocuments(tx, keys)
        await forgetContactsOfRuns(tx, keys)
        return removed
      },
      export: async (_scope, tx, keys) =>
        (await runs.listDocumented(tx, keys)).map((run) => ({
          report_run_id: formatId('reportRun', run.id),
          created_at: run.created_at.toISOString(),
        })),
      portable: false,
      listCopies: async (_scope, tx, keys) =>
        (await runs.listDocumented(tx, keys)).flatMap(({ id, recipients, completed_at }) =>
          recipients.length > 0 && completed_at
            ? [{ kind: 'email' as const, target: formatId('reportRun', id), at: completed_at.toISOString() }]
            : [],
        ),
    },
  ],
}

/** Removes the contacts typed into deleted runs from the index. */
export function forgetContactsOfRuns(tx: TenantTx, ids: string[]): Promise<void> {
  return forgetContacts(tx, ids)
}
