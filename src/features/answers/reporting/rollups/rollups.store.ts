import { joinArrays, type ReadTx, sql, type TenantTx } from '../../../../platform/database/database.ts'
import type { Id } from '../../../../platform/ids.ts'

export interface RolledSurvey {
  sealed_until: Date
  barrier: number | null
  rolled_until: Date
}

/** Rolls a survey up from now on, or earlier than planned. */
export function insertSurvey(tx: TenantTx, id: Id<'survey'>, now: Date): Promise<number> {
  return tx.run(sql`
    insert into report_surveys (tenant_id, survey_id, sealed_until, rolled_until, next_at) values (${tx.tenantId}, ${id}, 'epoch', 'epoch', ${now})
    on conflict (tenant_id, survey_id) do update set next_at = least(report_surveys.next_at, excluded.next_at)`)
}

export function findSurvey(tx: ReadTx, id: Id<'survey'>): Promise<RolledSurvey | undefined> {
  return tx.maybe(
    sql<RolledSurvey>`select sealed_until, barrier, rolled_until from report_surveys where tenant_id = ${tx.tenantId} and survey_id = ${id}`,
  )
}

export function lockSurvey(tx: TenantTx, id: Id<'survey'>): Promise<RolledSurvey | undefined> {
  return tx.maybe(sql<RolledSurvey>`
    select sealed_until, barrier, rolled_until from report_surveys where tenant_id = ${tx.tenantId} and survey_id = ${id} for update`)
}

export function updateSurvey(tx: TenantTx, id: Id<'survey'>, survey: RolledSurvey): Promise<number> {
  return tx.run(sql`
    update report_surveys set sealed_until = ${survey.sealed_until}, barrier = ${survey.barrier}, rolled_until = ${survey.rolled_until}
    where tenant_id = ${tx.tenantId} and survey_id = ${id}`)
}

/** When the n-th response from `since` on was recorded. Null if there are fewer before `until`. */
export async function findNthRecorded(
  tx: ReadTx,
  id: Id<'survey'>,
  range: { since: Date; until: Date; n: number },
): Promise<Date | null> {
  const row = await tx.maybe(sql<{ recorded_at: Date }>`
    select recorded_at from responses
    where tenant_id = ${tx.tenantId} and survey_id = ${id} and recorded_at >= ${range.since} and recorded_at < ${range.until}
    order by recorded_at offset ${range.n - 1} limit 1`)
  return row?.recorded_at ?? null
}

export interface Mark {
  id: string
  starts_at: Date
}

/** Marks quarters under a seal. Must run as its own statement after the write, so that it sees a seal set meanwhile. */
export function insertMarks(tx: TenantTx, id: Id<'survey'>, marks: Mark[]): void {
  tx.atCommit({
    name: 'insert-report-marks',
    text: `insert into report_marks as x (tenant_id, survey_id, id, starts_at)
     select s.tenant_id, s.survey_id, mark.id, mark.starts_at
     from unnest($2::uuid[], $3::uuid[], $4::timestamptz[]) as mark (survey_id, id, starts_at)
     cross join lateral (
       select tenant_id, survey_id from report_surveys
       where tenant_id = $1 and survey_id = mark.survey_id and sealed_until > mark.starts_at offset 0) s
     returning x.id`,
    values: [tx.tenantId, marks.map(() => id), marks.map((mark) => mark.id), marks.map((mark) => mark.starts_at)],
    combine: joinArrays,
  })
}

/** The marks in time order. */
export function listMarks(
  tx: ReadTx,
  id: Id<'survey'>,
  range: { since: Date; until: Date; limit: number },
): Promise<Mark[]> {
  return tx.many(sql<Mark>`
    select id, starts_at from report_marks
    where tenant_id = ${tx.tenantId} and survey_id = ${id} and starts_at >= ${range.since} and starts_at < ${range.until}
    order by starts_at limit ${range.limit}`)
}

export async function listStale(tx: ReadTx, id: Id<'survey'>, range: { since: Date; until: Date }): Promise<Date[]> {
  const rows = await tx.many(sql<{ starts_at: Date }>`
    select distinct starts_at from report_marks
    where tenant_id = ${tx.tenantId} and survey_id = ${id} and starts_at >= ${range.since} and starts_at < ${range.until} order by starts_at`)
  return rows.map((row) => row.starts_at)
}

export function deleteMarks(tx: TenantTx, id: Id<'survey'>, marks: Mark[]): Promise<number> {
  return tx.run(sql`
    delete from report_marks where tenant_id = ${tx.tenantId} and survey_id = ${id} and id = any(${marks.map((mark) => mark.id)}::uuid[])`)
}
