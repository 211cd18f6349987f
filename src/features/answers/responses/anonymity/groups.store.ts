import { type RawBuilder, type ReadTx, sql, type TenantTx } from '../../../../platform/database/database.ts'
import type { ColumnsOf } from '../../../../platform/fields/entity.ts'
import type { Due } from '../../../../platform/work/due-tenants.ts'
import { lowestIdAt, type Id } from '../../../../platform/ids.ts'
import type { responses } from '../../rows/response.entity.ts'

const IS_ANONYMOUS = sql`anonymity in ('held', 'counted')`

/** Responses of anonymous surveys that were finished before a moment, and whose events are not published. */
export function duePublishing(before: Date): Due {
  return {
    table: 'responses',
    isDue: sql`r.anonymity in ('held', 'counted') and not r.published and r.completed_at < ${before}`,
  }
}

/**
 * Surveys with unpublished responses that were finished before a moment, if any can go on: a group is complete or may
 * be made, or an earlier one was, so that the rest may leave at the survey's close.
 */
export async function listWaitingSurveys(
  tx: ReadTx,
  { fewest, before }: { fewest: number; before: Date },
): Promise<Id<'survey'>[]> {
  const rows = await tx.many(sql<{ survey_id: Id<'survey'> }>`
    with waiting as materialized (
      select survey_id, bool_or(anonymity = 'counted') as is_leaving from responses
      where tenant_id = ${tx.tenantId} and ${IS_ANONYMOUS} and not published and completed_at < ${before}
      group by survey_id)
    select w.survey_id from waiting w
    where w.is_leaving
      or exists (select from responses h
        where h.tenant_id = ${tx.tenantId} and h.survey_id = w.survey_id and h.anonymity = 'held'
          and h.completed_at < ${before}
        group by h.state having count(*) >= ${fewest})
      or exists (select from responses h
        where h.tenant_id = ${tx.tenantId} and h.survey_id = w.survey_id
          and h.survey_id >= '00000000-0000-0000-0000-000000000000' and h.anonymity = 'counted')
    order by w.survey_id`)
  return rows.map((row) => row.survey_id)
}

/**
 * Surveys with `fewest` or more held responses of one outcome: `takeGroup` can make a group of those, and of no others.
 */
export async function listReadySurveys(tx: ReadTx, fewest: number): Promise<Id<'survey'>[]> {
  const rows = await tx.many(sql<{ survey_id: Id<'survey'> }>`
    select distinct h.survey_id from (
      select survey_id, state from responses
      where tenant_id = ${tx.tenantId} and anonymity = 'held'
      group by survey_id, state having count(completed_at) >= ${fewest}) as h`)
  return rows.map((row) => row.survey_id)
}

/**
 * Makes a group of the held responses that were finished before a moment: of each outcome all, if they are `fewest` or
 * more. @returns the last of their days, or undefined if there are too few.
 */
export async function takeGroup(
  tx: TenantTx,
  surveyId: Id<'survey'>,
  { fewest, before }: { fewest: number; before: Date },
): Promise<Date | undefined> {
  const rows = await tx.many(sql<{ counted_on: Date }>`
    with enough as materialized (
      select h.state, max(h.completed_at) as last_day from responses h
      where h.tenant_id = ${tx.tenantId} and h.survey_id = ${surveyId} and h.anonymity = 'held' and h.completed_at < ${before}
      group by h.state having count(*) >= ${fewest})
    update responses r set anonymity = 'counted', counted_on = (select max(last_day) from enough)
    where r.tenant_id = ${tx.tenantId} and r.survey_id = ${surveyId} and r.anonymity = 'held' and r.completed_at < ${before}
      and r.state in (select state from enough)
    returning r.counted_on`)
  return rows[0]?.counted_on
}

/** Makes a group of everybody who still waits at the survey's close. Figures never show it. */
export function takeRest(
  tx: TenantTx,
  surveyId: Id<'survey'>,
  { fewest, before, day }: { fewest: number; before: Date; day: Date },
): Promise<number> {
  return tx.run(sql`
    update responses r set anonymity = 'counted', counted_on = ${day}, uncounted = ${questionsOf(sql`true`)}
    where r.tenant_id = ${tx.tenantId} and r.survey_id = ${surveyId} and r.anonymity = 'held' and r.completed_at < ${before}
      and (select count(*) from responses h where h.tenant_id = ${tx.tenantId} and h.survey_id = ${surveyId}
        and h.state = 'completed' and h.${IS_ANONYMOUS}) >= ${fewest}`)
}

/** How many people have completed the survey. */
export async function countAll(tx: ReadTx, surveyId: Id<'survey'>): Promise<number> {
  const { n } = await tx.one(sql<{ n: number }>`
    select count(*)::int as n from responses h
    where h.tenant_id = ${tx.tenantId} and h.survey_id = ${surveyId} and h.state = 'completed'
      and h.${IS_ANONYMOUS}`)
  return n
}

/** The questions that `fewest` people or more have answered whose answers no figure shows. */
export async function listEnough(tx: TenantTx, surveyId: Id<'survey'>, fewest: number): Promise<string[]> {
  const rows = await tx.many(sql<{ question: string }>`
    select given.item ->> 'question_id' as question
    from responses r cross join lateral jsonb_array_elements(r.answers || r.text) as given (item)
    where ${waiting(tx, surveyId)} and r.state = 'completed' and ${IS_UNCOUNTED}
    group by 1 having count(distinct r.id) >= ${fewest}`)
  return rows.map((row) => row.question)
}

/** Where the rows of figures are made: their day, and a secret that keeps them from leading to their responses. */
export interface Making {
  day: Date
  salt: string
  /** The questions whose answers are shown. */
  questions: string[]
}

/**
 * The questions that figures of a new group may say were reached, each after its outcome. Rules decide who reaches one,
 * so a question that few reached would tell of them: all of an outcome reached it, or `fewest` and its answers are
 * shown.
 */
export async function listReached(
  tx: TenantTx,
  surveyId: Id<'survey'>,
  { fewest, questions }: { fewest: number; questions: string[] },
): Promise<string[]> {
  const rows = await tx.many(sql<{ reached: string }>`
    with members as materialized (
      select r.state, r.path from responses r where ${waiting(tx, surveyId)} and r.uncounted is null),
    outcomes as (select state, count(*) as size from members group by state)
    select m.state || ':' || met.question as reached
    from members m join outcomes o on o.state = m.state
    cross join lateral (select distinct unnest(m.path) as question) as met
    group by m.state, met.question, o.size
    having count(*) >= ${fewest} and (met.question = any(${questions}::text[]) or count(*) = o.size)`)
  return rows.map((row) => row.reached)
}

/** The figures of a new group: with the answers to these questions, and without a word. */
export async function insertFigures(
  tx: TenantTx,
  surveyId: Id<'survey'>,
  making: Making & { reached: string[] },
): Promise<void> {
  const isShown = sql`r.state = 'completed' and given.item ->> 'question_id' = any(${making.questions}::text[])`
  await insertCopies(tx, surveyId, making, {
    anonymity: 'figure',
    path: sql`array(
      select met.question from unnest(r.path) with ordinality as met (question, place)
      where r.state || ':' || met.question = any(${making.reached}::text[]) order by met.place)`,
    isShown,
    condition: sql`r.uncounted is null`,
  })
}

/** Answers of earlier groups to these questions, which were too few until now. */
export async function insertParts(tx: TenantTx, surveyId: Id<'survey'>, making: Making): Promise<void> {
  const questions = sql`${making.questions}::text[]`
  await insertCopies(tx, surveyId, making, {
    anonymity: 'part',
    path: sql`'{}'::text[]`,
    isShown: sql`given.item ->> 'question_id' = any(${questions}) and given.item ->> 'question_id' = any(r.uncounted)`,
    condition: sql`r.state = 'completed' and r.uncounted && ${questions}`,
  })
}

/** Notes which answers figures now show. */
export async function noteCounted(tx: TenantTx, surveyId: Id<'survey'>, questions: string[]): Promise<void> {
  const isLeft = sql`r.state = 'completed' and given.item ->> 'question_id' <> all(${questions}::text[]) and ${IS_UNCOUNTED}`
  await tx.run(sql`update responses r set uncounted = ${questionsOf(isLeft)} where ${waiting(tx, surveyId)}`)
}

/** Locks responses whose group is complete and whose day is over, in the order that a secret gives. */
export async function lockLeaving(
  tx: TenantTx,
  surveyId: Id<'survey'>,
  { before, salt, limit }: { before: Date; salt: string; limit: number },
): Promise<Array<{ id: Id<'response'>; counted_on: Date }>> {
  return tx.many(sql<{ id: Id<'response'>; counted_on: Date }>`
    select id, counted_on from responses
    where tenant_id = ${tx.tenantId} and survey_id = ${surveyId} and ${IS_ANONYMOUS} and not published
      and completed_at < ${before} and anonymity = 'counted' and counted_on < ${before} and state = 'completed'
    order by md5(id::text || ${salt}) limit ${limit} for update`)
}

/** Only a completion has an event, so other outcomes count as published. */
export function markOutcomesPublished(tx: TenantTx, surveyId: Id<'survey'>, before: Date): Promise<number> {
  return tx.run(sql`
    update responses set published = true
    where tenant_id = ${tx.tenantId} and survey_id = ${surveyId} and ${IS_ANONYMOUS} and not published
      and completed_at < ${before} and anonymity = 'counted' and state <> 'completed'`)
}

export function markAllPublished(tx: TenantTx, ids: Id<'response'>[]): Promise<number> {
  return tx.run(
    sql`update responses set published = true where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`,
  )
}

export interface Standing {
  counted_on: Date | null
  published: boolean
}

export function findStanding(tx: ReadTx, id: Id<'response'>): Promise<Standing | undefined> {
  return tx.maybe(sql<Standing>`
    select counted_on, published from responses where tenant_id = ${tx.tenantId} and id = ${id}`)
}

const IS_UNCOUNTED = sql`(r.uncounted is null or given.item ->> 'question_id' = any(r.uncounted))`

/** Responses of groups with answers that no figure shows. */
function waiting(tx: ReadTx, surveyId: Id<'survey'>): RawBuilder<unknown> {
  return sql`r.tenant_id = ${tx.tenantId} and r.survey_id = ${surveyId} and r.anonymity = 'counted'
    and r.uncounted is distinct from '{}'`
}

/** The questions of a response `r` whose answers meet a condition on `given.item`. */
function questionsOf(condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`array(
    select distinct given.item ->> 'question_id' from jsonb_array_elements(r.answers || r.text) as given (item)
    where ${condition} order by 1)`
}

// The compiler asks for each new column of a response: a copy has it, or leaves it as a new row does.
type LeftOut =
  | 'held_state'
  | 'agent_id'
  | 'person_id'
  | 'duration_ms'
  | 'orders'
  | 'dedupe_key'
  | 'erased_at'
  | 'recorded_at'
  | 'published'
  | 'counted_on'
  | 'uncounted'
type CopiedColumn = Exclude<keyof ColumnsOf<typeof responses>, LeftOut>

interface Copies {
  anonymity: 'figure' | 'part'
  path: RawBuilder<unknown>
  isShown: RawBuilder<unknown>
  condition: RawBuilder<unknown>
}

async function insertCopies(
  tx: TenantTx,
  surveyId: Id<'survey'>,
  { day, salt }: Making,
  { anonymity, path, isShown, condition }: Copies,
): Promise<void> {
  const items = (from: RawBuilder<unknown>, item: RawBuilder<unknown>) => sql`coalesce((
    select jsonb_agg(${item} order by given.place)
    from jsonb_array_elements(${from}) with ordinality as given (item, place) where ${isShown}), '[]')`
  // A score is the answer to the first question of its metric.
  const scored = sql`exists (select from (
    select given.item from jsonb_array_elements(r.answers) with ordinality as given (item, place)
    where given.item ->> 'type' = r.metric order by given.place limit 1) as given where ${isShown})`
  const cells: Record<CopiedColumn, RawBuilder<unknown>> = {
    id: sql`(${lowestIdAt(day).slice(0, 13)} || substr(md5(r.id::text || ${salt})::uuid::text, 14))::uuid`,
    survey_id: sql`r.survey_id`,
    survey_version: sql`r.survey_version`,
    state: sql`r.state`,
    channel: sql`r.channel`,
    language: sql`r.language`,
    answers: items(sql`r.answers`, sql`given.item`),
    text: items(sql`r.text`, sql`jsonb_build_object('question_id', given.item -> 'question_id')`),
    custom_data: sql`'{}'`,
    path,
    metric: sql`case when ${scored} then r.metric end`,
    score: sql`case when ${scored} then r.score end`,
    band: sql`case when ${scored} then r.band end`,
    started_at: sql`${day}`,
    completed_at: sql`${day}`,
    tags: sql`'{}'`,
    notes: sql`'[]'`,
    quality_flags: sql`'{}'`,
    quotas: sql`'{}'`,
    updated_at: sql`${day}`,
    anonymity: sql`${anonymity}`,
  }
  await tx.run(sql`
    insert into responses as x (tenant_id, ${sql.join(Object.keys(cells).map((name) => sql.ref(name)))})
    select r.tenant_id, ${sql.join(Object.values(cells))}
    from responses r where ${waiting(tx, surveyId)} and ${condition}
    returning x.id`)
}
