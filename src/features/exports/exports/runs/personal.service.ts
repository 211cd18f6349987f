import type { TenantTx } from '../../../../platform/database/database.ts'
import { formatId, type Id } from '../../../../platform/ids.ts'
import { listenTo, type Listener } from '../../../../platform/work/listeners.ts'
import {
  responsesOf,
  rowOf,
  type ExternalCopy,
  type Person,
  type PersonalData,
  type StoreName,
} from '../../../../platform/personal.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { SWEEPS } from '../../../../platform/work/sweeps.ts'
import { REMOVED } from '../../../answers/responses/completion.service.ts'
import type { SourceName } from '../definition/definition.ts'
import * as store from './holdings.store.ts'
import { UNFINISHED, type RunStatus } from './run-status.ts'

const READABLE: RunStatus[] = [...UNFINISHED, 'completed']
const KINDS = { download: 'export', email: 'email', s3: 's3' } as const satisfies Record<string, ExternalCopy['kind']>
// The rows of these sources are those of these stores.
const LIKE_STORES = [
  ['alerts', 'alerts'],
  ['leads', 'leads'],
  ['sends', 'sends'],
  ['responses', 'notes'],
] as const satisfies Array<[SourceName, StoreName]>

/**
 * Rows of a person in exports. Files are found by the ids of rows, and never read. A key is a run and a row of it.
 * @param listParts the personal data of every feature.
 */
export function personalOf(listParts: () => PersonalData[]): PersonalData {
  return {
    stores: [
      {
        store: 'exports',
        table: 'export_slices',
        columns: ['ids'],
        async find(scope, tx, person, looking) {
          const sources = await store.listSources(tx, READABLE)
          if (sources.length === 0) return { keys: [] }
          const others = listParts().flatMap(({ stores = [] }) => stores)
          const ids = new Set<string>([...responsesOf(person), ...person.personIds])
          for (const [source, name] of LIKE_STORES) {
            if (!sources.includes(source)) continue
            const part = others.find((each) => each.store === name)
            for (const key of (await part?.find(scope, tx, person, looking))?.keys ?? []) ids.add(rowOf(key))
          }
          const held = await store.listHoldings(tx, [...ids], READABLE)
          return { keys: held.map(({ run_id, row_id }) => `${run_id}/${row_id}`) }
        },
        async erase(scope, tx, keys) {
          await dropFrom(scope, tx, keys.map(readKey))
          return keys.length
        },
        export: async (_scope, tx, keys, _person: Person) =>
          (await store.listRuns(tx, [...new Set(keys.map((key) => readKey(key).run_id))])).map((run) => ({
            export_run_id: formatId('exportRun', run.id),
            source: run.source,
            created_at: run.created_at.toISOString(),
          })),
        listCopies: async (_scope, tx, keys) =>
          (await store.listCopied(tx, [...new Set(keys.map((key) => readKey(key).run_id))])).map(
            ({ id, destination, at }) => ({
              kind: KINDS[destination],
              target: formatId('exportRun', id),
              at: at.toISOString(),
            }),
          ),
      },
    ],
    listGoing: async (tx, before) =>
      (await store.listGoing(tx, before)).map(({ id }) => ({
        place: 'exports',
        id: formatId('exportRun', id),
        reason: 'file_not_removed',
      })),
    more: { export_templates: ['sealed'], export_runs: ['sealed'] },
  }
}

/** A response that is deleted meanwhile is gone from what is delivered. */
export const onRemoved: Listener = listenTo(REMOVED, async (scope, tx) => ({
  handle: async (ids) => dropFrom(scope, tx, await store.listHoldings(tx, ids, UNFINISHED)),
}))

async function dropFrom(scope: Scope, tx: TenantTx, held: store.Holding[]): Promise<void> {
  if (held.length === 0) return
  const runIds = [...new Set(held.map(({ run_id }) => run_id))].toSorted()
  await store.lockRuns(tx, runIds)
  await store.dropRows(
    tx,
    runIds,
    held.map(({ row_id }) => row_id),
  )
  await store.restartRuns(tx, runIds, scope.clock.now())
  scope.wakeAfter(tx, SWEEPS, { group: '', ids: [] })
}

function readKey(key: string): store.Holding {
  const [run_id = '', row_id = ''] = key.split('/')
  return { run_id: run_id as Id<'exportRun'>, row_id }
}
