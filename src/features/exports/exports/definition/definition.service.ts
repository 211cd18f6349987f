import type { z } from 'zod'
import { BlockedUrlError } from '../../../../platform/ports/ports.ts'
import { unprocessable } from '../../../../http/problems/problem.ts'
import type { ReadTx } from '../../../../platform/database/database.ts'
import { exportOf, filteredAs } from '../../../../platform/fields/lists.ts'
import { fieldOf } from '../../../../platform/filter/entity.ts'
import type { Filter } from '../../../../platform/filter/grammar.ts'
import { formatId, parseId } from '../../../../platform/ids.ts'
import type { Permission } from '../../../../platform/permissions.ts'
import { heldBy, permissionToRead, unmaskedBy } from '../../../../platform/readers.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { StorageError } from '../../../../platform/ports/storage-port.ts'
import { requireMembers } from '../../../access/members/membership.service.ts'
import { requireHeld } from '../../../access/roles/permission-rules.ts'
import { permissionsToChoose } from '../../../outreach/segments/references.service.ts'
import { surveyNames } from '../../../surveys/surveys/published-surveys.service.ts'
import type { NewDefinitionShape } from './definition.schema.ts'
import {
  chooseColumns,
  specOf,
  type DefinitionRow,
  type NamedColumn,
  SIGNS,
  type StoredDestination,
  MOST_COLUMNS,
  MOST_OF_ALL,
  type SourceName,
} from './definition.ts'

// Somebody waits for the answer.
const TRIED_FOR_MS = 5_000

export type NewDefinition = z.output<typeof NewDefinitionShape>

/** An export that somebody with these permissions wants. */
interface Wanted {
  source: SourceName
  definition: Pick<DefinitionRow, 'filter'>
  held: ReadonlySet<Permission>
  /** The author's permissions on a row, an upper bound for everybody who runs it. Absent: the author runs it. */
  authorShows?: Permission[]
}

/** The parts of rows that an export shows, and the permissions that it demands: to run it, and to read it. */
export async function accessOf(tx: ReadTx, { source, definition: { filter }, held, authorShows }: Wanted) {
  const shows = unmaskedBy(source, held).filter((permission) => authorShows?.includes(permission) ?? true)
  const toChoose = await permissionsToChoose(tx, filteredAs(source), filter)
  const demands = [permissionToRead(source) ?? [], ...shows, ...toChoose].flat()
  return { shows, demands: [...new Set(demands)] }
}

export type Access = Awaited<ReturnType<typeof accessOf>>

/** Refuses what the list of the source refuses too. @throws Problem 403 naming the permission. */
export async function requireAccess(scope: Scope, tx: ReadTx, wanted: Omit<Wanted, 'held'>): Promise<Access> {
  const access = await accessOf(tx, { ...wanted, held: heldBy(scope.principal) })
  requireHeld(scope.principal, access.demands)
  return access
}

/**
 * A definition with its columns, read outside of a transaction.
 * @throws Problem 422 for an unknown survey, a source without surveys, or an unknown field.
 */
export async function readNewDefinition(
  scope: Scope,
  input: NewDefinition,
): Promise<{ definition: DefinitionRow; columns: NamedColumn[] }> {
  const { source, survey_id, columns, filter, format, options, part_rows } = input
  const surveyId = survey_id === null ? null : parseId('survey', survey_id)
  if (survey_id !== null) {
    if (!fieldOf(filteredAs(source), 'survey_id'))
      throw unprocessable('no_surveys', [{ path: 'survey_id', message: `Leave this out: ${source} have no survey.` }])
    if (!surveyId || !(await scope.read((tx) => surveyNames(tx, [surveyId]))).has(surveyId))
      throw unprocessable('unknown_survey', [{ path: 'survey_id', message: 'There is no such survey.' }])
  }
  const definition: DefinitionRow = {
    survey_id: surveyId,
    columns,
    filter: filter as Filter | null,
    format,
    options: { ...options, delimiter: SIGNS[options.delimiter] },
    part_rows,
  }
  return { definition, columns: await readColumns(scope, source, definition) }
}

/**
 * Call it outside of a transaction, because it may wait.
 * @throws Problem 422 for an unknown field, or for more columns than the format holds.
 */
export async function readColumns(scope: Scope, source: SourceName, definition: DefinitionRow): Promise<NamedColumn[]> {
  const all = await exportOf(source).columns(scope, specIn(scope, definition))
  const { columns, unknown } = await chooseColumns(all, definition.columns, definition.format)
  if (unknown.length > 0)
    throw unprocessable(
      'unknown_field',
      unknown.map((at) => ({ path: `columns.${at}.field`, message: `The source ${source} has no such field.` })),
    )
  const most = MOST_COLUMNS[definition.format]
  if (columns.length > most)
    throw unprocessable('too_many_columns', [
      {
        path: 'columns',
        message:
          `A file of the format ${definition.format} has at most ${most} columns, and this export has ` +
          `${columns.length > MOST_OF_ALL ? 'more' : columns.length}. Choose fewer columns, another format, or a row ` +
          'for each answer (options.answers: long).',
      },
    ])
  return columns
}

export function specIn(
  scope: Scope,
  definition: DefinitionRow,
  { shows = [] as Permission[], snapshotAt = scope.clock.now() } = {},
) {
  const { survey_id } = definition
  return specOf(definition, { shows, snapshotAt, surveyId: survey_id && formatId('survey', survey_id) })
}

/** @throws Problem 422 for an unknown member, or a bucket that cannot be reached or written. */
export async function readDestination(scope: Scope, given: NewDefinition['destination']): Promise<StoredDestination> {
  if (given.type === 'download') return given
  if (given.type === 'email') {
    const named = Object.fromEntries(given.recipients.map((id, at) => [`destination.recipients.${at}`, id]))
    const members = await scope.read((tx) => requireMembers(tx, named))
    return { type: 'email', recipients: [...new Set(members.values())] }
  }
  await tryBucket(scope, given)
  return given
}

/** Writes an object and removes it again. @throws Problem 422, also for a bucket that does not answer in time. */
async function tryBucket(scope: Scope, given: Extract<NewDefinition['destination'], { type: 's3' }>): Promise<void> {
  const path = given.endpoint === undefined ? 'destination' : 'destination.endpoint'
  const late = AbortSignal.timeout(TRIED_FOR_MS)
  try {
    if (given.endpoint !== undefined) await scope.ports.outboundHttp.check(given.endpoint)
    const bucket = scope.ports.buckets.open(given)
    const key = 'earshot-can-write.txt'
    await bucket.put(key, written('Earshot can write here.\n'), late)
    // A key that may only write is enough.
    await bucket.remove([key], late).catch(() => {})
  } catch (error) {
    if (error instanceof BlockedUrlError || (error instanceof StorageError && error.reason === 'blocked'))
      throw unprocessable('blocked_url', [{ path, message: 'This address is not allowed. Use a public one.' }])
    if (!(error instanceof StorageError) && !late.aborted) throw error
    const reason = error instanceof StorageError ? error.reason : 'unavailable'
    scope.log.info({ reason }, 'a bucket was tried and refused')
    const message =
      reason === 'denied'
        ? 'The bucket refused a test file. Check its name, the key and the permissions of the key.'
        : 'The bucket cannot be reached. Check the endpoint, the region and the name.'
    throw unprocessable('destination_refused', [{ path: 'destination', message }])
  }
}

async function* written(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
