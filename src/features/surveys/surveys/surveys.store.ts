import { wordsTest } from '../../../platform/filter/folding.ts'
import {
  type RawBuilder,
  type ValueQuery,
  json,
  type ReadTx,
  sql,
  type TenantTx,
} from '../../../platform/database/database.ts'
import type { RowOf } from '../../../platform/fields/entity.ts'
import type { Id } from '../../../platform/ids.ts'
import { readPage, type Sorted, type Sorts, type PageRequest } from '../../../platform/fields/sorting.ts'
import type { QuestionType, SurveyDefinition } from '../../../survey-engine/model/definition.ts'
import { surveyLanguages } from '../../../survey-engine/model/text.ts'
import type { Opening, SurveyState } from './openness.ts'
import { surveys } from './survey.entity.ts'

type Stored = RowOf<typeof surveys>

const OF_HEAD = [
  'id',
  'name',
  'state',
  'version',
  'starts_at',
  'closes_at',
  'response_limit',
  'published_at',
  'created_at',
  'updated_at',
] as const
const OF_SUMMARY = ['languages', 'unpublished_changes', 'updated_by'] as const
const OF_ROW = ['definition', 'revision', 'unpublished_changes', 'frozen_types'] as const

export interface SurveyHead extends Pick<Stored, (typeof OF_HEAD)[number]>, Pick<Opening, 'limit_count'> {}

export interface SurveyRow extends SurveyHead, Pick<Stored, (typeof OF_ROW)[number]> {}

export interface SurveySummaryRow extends SurveyHead, Pick<Stored, (typeof OF_SUMMARY)[number]> {
  metric: SurveyDefinition['metric']
  privacy: NonNullable<SurveyDefinition['privacy']>
  question_count: number
}

const HEAD = sql`${surveys.list('s', OF_HEAD)}, q.count as limit_count`
const ROW = sql`${HEAD}, ${surveys.list('s', OF_ROW)}`
const LIMIT = sql`left join quota_counts q on q.tenant_id = s.tenant_id and q.survey_id = s.id and q.quota_id = '*'`

export type SurveyContent = Pick<SurveyRow, 'name' | 'definition' | 'starts_at' | 'closes_at' | 'response_limit'>

/** A change of a survey: when, and by which person or API key. */
export interface Change {
  now: Date
  by: string | null
}

export function insertSurvey(
  tx: TenantTx,
  id: Id<'survey'>,
  content: SurveyContent,
  { now, by }: Change,
): Promise<number> {
  const row = surveys.blank({
    id,
    ...content,
    state: 'draft',
    revision: 1,
    languages: surveyLanguages(content.definition),
    version: 0,
    unpublished_changes: false,
    frozen_types: {},
    created_at: now,
    updated_at: now,
    updated_by: by,
  })
  return tx.run(sql`
    insert into surveys (tenant_id, ${surveys.list()}) values (${tx.tenantId}, ${surveys.values(row)})`)
}

export interface SurveyFilter {
  state?: SurveyState | undefined
  search?: string | undefined
}

/** Surveys that pass a condition on the alias `s`, in the order of the page. */
export function listSurveys(
  tx: ReadTx,
  condition: RawBuilder<unknown>,
  page: PageRequest,
  sorts: Sorts,
): Promise<Array<SurveySummaryRow & Sorted>> {
  return readPage(page, { ...surveys.sorts, ...sorts }, 's', 'all', ({ value, where, order, limit }) =>
    tx.many(sql<SurveySummaryRow & Sorted>`
      select ${HEAD}, s.definition ->> 'metric' as metric, coalesce(s.definition ->> 'privacy', 'open') as privacy,
        ${surveys.list('s', OF_SUMMARY)},
        jsonb_array_length(s.definition -> 'questions') as question_count, ${value}
      from surveys s ${LIMIT}
      where s.tenant_id = ${tx.tenantId} and ${condition} and ${where}
      order by ${order} limit ${limit}`),
  )
}

/** The parameters of the list as a condition on the alias `s`. */
export function conditionOf({ state, search }: SurveyFilter): RawBuilder<unknown> {
  const inState = state ? sql`s.state = ${state}` : sql`true`
  return sql`${inState} and ${search === undefined ? sql`true` : wordsTest(sql`s.name`, 'contains', search)}`
}

/** Every survey that was published, because only these have responses. */
export async function listPublishedIds(tx: ReadTx): Promise<Array<Id<'survey'>>> {
  const rows = await tx.many(sql<{ id: Id<'survey'> }>`
    select id from surveys where tenant_id = ${tx.tenantId} and version > 0`)
  return rows.map(({ id }) => id)
}

export function findSurvey(tx: ReadTx, id: Id<'survey'>): Promise<SurveyRow | undefined> {
  return tx.maybe(
    sql<SurveyRow>`select ${ROW} from surveys s ${LIMIT} where s.tenant_id = ${tx.tenantId} and s.id = ${id}`,
  )
}

/** With the draft only before the first publish. */
export function findCurrent(
  tx: ReadTx,
  id: Id<'survey'>,
): Promise<(SurveyHead & { draft: SurveyDefinition | null }) | undefined> {
  return tx.maybe(sql<SurveyHead & { draft: SurveyDefinition | null }>`
    select ${HEAD}, case when s.version = 0 then s.definition end as draft
    from surveys s ${LIMIT} where s.tenant_id = ${tx.tenantId} and s.id = ${id}`)
}

export function lockSurvey(tx: TenantTx, id: Id<'survey'>): Promise<SurveyRow | undefined> {
  return tx.maybe(
    sql<SurveyRow>`select ${ROW} from surveys s ${LIMIT} where s.tenant_id = ${tx.tenantId} and s.id = ${id} for update of s`,
  )
}

export interface OpeningRow extends Opening {
  id: Id<'survey'>
  version: number
  /** Completions by quota. `*` is the survey's limit. */
  counts: Record<string, number>
}

const OPENING_ROW = `s.id, s.state, s.version, s.starts_at, s.closes_at, s.response_limit, coalesce(q.counts, '{}') as counts`
const OF_SURVEY = `from surveys s cross join lateral (
    select jsonb_object_agg(c.quota_id, c.count) as counts from quota_counts c where c.tenant_id = $1 and c.survey_id = s.id) as q
  where s.tenant_id = $1`
const OPENING = `select ${OPENING_ROW} ${OF_SURVEY}`

type CountedRow = Omit<OpeningRow, 'limit_count'>

/** The data that a respondent's request needs, without the draft. */
export async function findOpening(tx: ReadTx, id: Id<'survey'>): Promise<OpeningRow | undefined> {
  const [row] = await tx.prepared<CountedRow>({
    name: 'find-opening',
    text: `${OPENING} and s.id = $2`,
    values: [tx.tenantId, id],
  })
  return row && withLimit(row)
}

/** The same with COMMIT, and the look of its pages. */
export function tellFront(
  tx: ReadTx,
  id: Id<'survey'>,
  look: ValueQuery,
  tell: (row: (OpeningRow & { look: string }) | undefined) => void,
): void {
  const text = `select ${OPENING_ROW}, (${look.text}) as look ${OF_SURVEY} and s.id = $2`
  tx.atCommit<CountedRow & { look: string }>(
    { name: 'find-front', text, values: [tx.tenantId, id, ...look.values] },
    { rows: ([row]) => tell(row && withLimit(row)) },
  )
}

function withLimit<Row extends CountedRow>(row: Row): Row & OpeningRow {
  return { ...row, limit_count: row.counts['*'] ?? null }
}

export async function findFoundOpening(tx: ReadTx, found: ValueQuery): Promise<OpeningRow | undefined> {
  const text = `${OPENING} and s.id = (${found.text})`
  const [row] = await tx.prepared<CountedRow>({
    name: 'find-found-opening',
    text,
    values: [tx.tenantId, ...found.values],
  })
  return row && withLimit(row)
}

export async function findExisting(tx: ReadTx, ids: Id<'survey'>[]): Promise<Set<Id<'survey'>>> {
  const rows = await tx.many(
    sql<{ id: Id<'survey'> }>`select id from surveys where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`,
  )
  return new Set(rows.map(({ id }) => id))
}

export function listNames(tx: ReadTx, ids: Id<'survey'>[]): Promise<Array<{ id: Id<'survey'>; name: string }>> {
  return tx.many(
    sql<{
      id: Id<'survey'>
      name: string
    }>`select id, name from surveys where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`,
  )
}

/** The surveys with a text in the draft or in a published version. */
export function listShowing(tx: ReadTx, text: string): Promise<Array<{ id: Id<'survey'>; name: string }>> {
  return tx.many(sql<{ id: Id<'survey'>; name: string }>`
    select s.id, s.name from surveys s
    where s.tenant_id = ${tx.tenantId} and (strpos(s.definition::text, ${text}) > 0 or exists (
      select from survey_versions v
      where v.tenant_id = s.tenant_id and v.survey_id = s.id and strpos(v.definition::text, ${text}) > 0))
    order by s.id limit 20`)
}

/** A draft that is again as it was published has no unpublished changes. */
export function updateContent(
  tx: TenantTx,
  id: Id<'survey'>,
  content: SurveyContent,
  { now, by }: Change,
): Promise<number> {
  return tx.run(sql`
    update surveys set name = ${content.name}, definition = ${json(content.definition)}, starts_at = ${content.starts_at}, closes_at = ${content.closes_at},
      response_limit = ${content.response_limit}, unpublished_changes = exists (
        select from survey_versions v
        where v.tenant_id = ${tx.tenantId} and v.survey_id = ${id} and v.version = surveys.version and v.definition <> ${json(content.definition)}),
      languages = ${surveyLanguages(content.definition)}::text[],
      revision = revision + 1, updated_at = ${now}, updated_by = ${by}
    where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function updateState(tx: TenantTx, id: Id<'survey'>, state: SurveyState, { now, by }: Change): Promise<number> {
  return tx.run(
    sql`update surveys set state = ${state}, revision = revision + 1, updated_at = ${now}, updated_by = ${by} where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
}

export function updatePublished(
  tx: TenantTx,
  id: Id<'survey'>,
  published: { state: SurveyState; version: number; frozenTypes: Record<string, QuestionType> },
  { now, by }: Change,
): Promise<number> {
  return tx.run(sql`
    update surveys set state = ${published.state}, version = ${published.version}, frozen_types = ${json(published.frozenTypes)}, unpublished_changes = false,
      published_at = ${now}, revision = revision + 1, updated_at = ${now}, updated_by = ${by}
    where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function deleteSurvey(tx: TenantTx, id: Id<'survey'>): Promise<number> {
  return tx.run(sql`delete from surveys where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export interface VersionRow {
  id: string
  version: number
  definition: SurveyDefinition
  published_at: Date
  published_by: string | null
}

export function insertVersion(tx: TenantTx, surveyId: Id<'survey'>, row: VersionRow): Promise<number> {
  return tx.run(sql`
    insert into survey_versions (tenant_id, survey_id, version, id, definition, published_at, published_by)
    values (${tx.tenantId}, ${surveyId}, ${row.version}, ${row.id}, ${json(row.definition)}, ${row.published_at}, ${row.published_by})`)
}

/** A version with its definition as JSON, and the bytes of that. */
export interface ListedVersion extends Omit<VersionRow, 'definition'> {
  text: string
  bytes: number
}

/** At most `limit` versions. */
export function listVersions(tx: ReadTx, surveyId: Id<'survey'>, page: PageRequest): Promise<ListedVersion[]> {
  return tx.many(sql<ListedVersion>`
    select id, version, definition::text as text, octet_length(definition::text) as bytes, published_at, published_by
    from survey_versions
    where tenant_id = ${tx.tenantId} and survey_id = ${surveyId} and ${page.before ? sql`id < ${page.before}` : sql`true`}
    order by version desc limit ${page.limit}`)
}

export function findVersion(
  tx: ReadTx,
  surveyId: Id<'survey'>,
  version: number,
): Promise<{ text: string } | undefined> {
  return tx.maybe(sql<{ text: string }>`
    select definition::text as text from survey_versions where tenant_id = ${tx.tenantId} and survey_id = ${surveyId} and version = ${version}`)
}

export interface NamedVersion {
  id: Id<'survey'>
  version: number
}

/** The version in force of the newest surveys that were ever published, the newest first. */
export function listNewestPublished(tx: ReadTx, most: number): Promise<NamedVersion[]> {
  return tx.many(sql<NamedVersion>`
    select id, version from surveys where tenant_id = ${tx.tenantId} and state <> 'draft' order by id desc limit ${most}`)
}

/** Versions that followed another and were published after a moment, the newest first. */
export function listPublishedSince(
  tx: ReadTx,
  surveyId: Id<'survey'>,
  since: Date,
  limit: number,
): Promise<Array<{ version: number; published_at: Date }>> {
  return tx.many(sql<{ version: number; published_at: Date }>`
    select version, published_at from survey_versions
    where tenant_id = ${tx.tenantId} and survey_id = ${surveyId} and version > 1 and published_at > ${since}
    order by version desc limit ${limit}`)
}

export interface Traits {
  id: Id<'survey'>
  metric: SurveyDefinition['metric']
  is_anonymous: boolean
}

export function listTraits(tx: ReadTx): Promise<Traits[]> {
  return tx.many(sql<Traits>`
    select s.id, v.definition ->> 'metric' as metric, v.definition ->> 'privacy' is not distinct from 'anonymous' as is_anonymous
    from surveys s join survey_versions v on v.tenant_id = s.tenant_id and v.survey_id = s.id and v.version = s.version
    where s.tenant_id = ${tx.tenantId} and s.state <> 'draft'`)
}

/** The surveys that were ever published, or as many of them. */
export async function listPublished(tx: ReadTx, most: number | null = null): Promise<Id<'survey'>[]> {
  const rows = await tx.many(
    sql<{ id: Id<'survey'> }>`
      select id from surveys where tenant_id = ${tx.tenantId} and state <> 'draft' limit ${most}`,
  )
  return rows.map(({ id }) => id)
}
