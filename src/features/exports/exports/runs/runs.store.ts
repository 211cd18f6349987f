import { json, type RawBuilder, type ReadTx, sql, type TenantTx } from '../../../../platform/database/database.ts'
import { dueBy, type Due } from '../../../../platform/work/due-tenants.ts'
import type { Jobs } from '../../../../platform/work/leases.ts'
import type { Id } from '../../../../platform/ids.ts'
import { listFitting, type Fitting } from '../../../../platform/fields/fitting.ts'
import type { PageRequest } from '../../../../platform/fields/sorting.ts'
import type { Permission } from '../../../../platform/permissions.ts'
import type { DefinitionRow, NamedColumn, DestinationType, Format, SourceName } from '../definition/definition.ts'
import type { Cleanup, RunError, RunStatus } from './run-status.ts'

export interface RunRow {
  id: Id<'exportRun'>
  template_id: Id<'exportTemplate'> | null
  occasion: string | null
  source: SourceName
  format: Format
  definition: DefinitionRow
  columns: NamedColumn[]
  shows: Permission[]
  /** Each reader needs these permissions. */
  demands: Permission[]
  destination: DestinationType
  sealed: string
  status: RunStatus
  phase_started_at: Date
  snapshot_at: Date
  total_rows: number
  total_parts: number
  rows: number
  parts: number
  created_by: string | null
  /** It acts as this member or API key. */
  maker: string | null
  created_at: Date
  /** From then on its files may be on the server of a tenant. */
  delivery_began_at: Date | null
  /** Each has a folder of its own. An erasure begins the next. */
  delivery_round: number
  completed_at: Date | null
  expires_at: Date | null
  erased_at: Date | null
  error: RunError | null
  cleanup: Cleanup | null
  failures: number
}

const COLUMNS = sql.raw(
  'id, template_id, occasion, source, format, definition, columns, shows, demands, destination, sealed, status, ' +
    'phase_started_at, snapshot_at, total_rows, total_parts, rows, parts, created_by, maker, ' +
    'created_at, delivery_began_at, delivery_round, completed_at, expires_at, erased_at, error, cleanup, failures',
)

/** Adds a run that is due at once. Returns none if its occasion has a run. */
export function insertRun(tx: TenantTx, row: RunRow): Promise<number> {
  return tx.run(sql`
    insert into export_runs (tenant_id, ${COLUMNS}, next_at)
    values (${tx.tenantId}, ${row.id}, ${row.template_id}, ${row.occasion}, ${row.source}, ${row.format}, ${json(row.definition)}, ${json(row.columns)},
      ${row.shows}::text[], ${row.demands}::text[], ${row.destination}, ${row.sealed}, ${row.status}, ${row.phase_started_at}, ${row.snapshot_at}, ${row.total_rows}, ${row.total_parts},
      ${row.rows}, ${row.parts}, ${row.created_by}, ${row.maker}, ${row.created_at}, null, ${row.delivery_round}, null, null, null, null, null, 0, ${row.created_at})
    on conflict (tenant_id, occasion) where occasion is not null do nothing`)
}

export function findRun(tx: ReadTx, id: Id<'exportRun'>): Promise<RunRow | undefined> {
  return tx.maybe(sql<RunRow>`select ${COLUMNS} from export_runs where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function lockRun(tx: TenantTx, id: Id<'exportRun'>): Promise<RunRow | undefined> {
  return tx.maybe(
    sql<RunRow>`select ${COLUMNS} from export_runs where tenant_id = ${tx.tenantId} and id = ${id} for update`,
  )
}

interface RunQuery {
  status?: RunStatus | undefined
  templateId?: Id<'exportTemplate'> | null | undefined
  held: ReadonlySet<Permission>
}

/** The runs that somebody with these permissions may read. */
/** The parameters of the list as a condition, and the rows that its reader may see. */
export function conditionOf({ status, templateId, held }: RunQuery): RawBuilder<unknown> {
  return sql`${status ? sql`status = ${status}` : sql`true`} and demands <@ ${[...held]}::text[]
    and ${templateId === undefined ? sql`true` : sql`template_id = ${templateId}`}`
}

export function listRuns(tx: ReadTx, chosen: RunQuery, page: PageRequest): Promise<Fitting<RunRow>> {
  const rows = { table: 'export_runs', columns: COLUMNS }
  return listFitting(tx, rows, page, conditionOf(chosen))
}

export const JOBS: Jobs = { table: 'export_runs', columns: COLUMNS }

/** A delivery waits for the server of a tenant. All other work is ours. */
export type Lane = 'building' | 'delivery'

export function isIn(lane: Lane): RawBuilder<unknown> {
  const isDelivery = sql`status = 'delivering' and destination = 's3'`
  return lane === 'delivery' ? sql`(${isDelivery})` : sql`not (${isDelivery})`
}

export function dueIn(lane: Lane, now: Date): Due {
  const { table, isDue } = dueBy('export_runs', 'next_at', now)
  return { table, isDue: sql`${isDue} and ${isIn(lane)}` }
}

/** Writes what changes, under the lease. `nextAt` gives the run back. */
export function saveRun(tx: TenantTx, row: RunRow, nextAt?: Date | null): Promise<number> {
  return tx.run(sql`
    update export_runs set status = ${row.status}, phase_started_at = ${row.phase_started_at}, rows = ${row.rows}, parts = ${row.parts},
      delivery_began_at = ${row.delivery_began_at}, completed_at = ${row.completed_at}, expires_at = ${row.expires_at}, erased_at = ${row.erased_at},
      ended_at = ${row.cleanup && new Date(row.cleanup.verified_at)}, error = ${row.error && json(row.error)}, cleanup = ${row.cleanup && json(row.cleanup)}, failures = ${row.failures}
      ${nextAt === undefined ? sql`` : sql`, next_at = ${nextAt}, lease_token = null`}
    where tenant_id = ${tx.tenantId} and id = ${row.id}`)
}
