import { type ReadTx, sql, type TenantTx } from '../../../../platform/database/database.ts'
import { foldedToAscii } from '../../../../platform/filter/folding.ts'
import type { Id } from '../../../../platform/ids.ts'
import { ANSWER_PARTS, FIRST_SCORES } from '../cells/answer-parts.ts'
import { ALL, PART } from './fact-filter.ts'
import { BLOCK, TRIGRAM_BITS, TRIGRAMS } from './trigrams.ts'
import type { Span } from '../cells/rollup-cover.ts'

/** A field with more values in a day has no facts that day. */
const MOST_VALUES = 50
/** Characters. A custom field with a longer value has no facts that day. */
const LONGEST_VALUE = 100

/** The days of a survey that have facts, in order. */
export async function listDays(tx: ReadTx, surveyId: Id<'survey'>, { since, until }: Span): Promise<Date[]> {
  const rows = await tx.many(sql<{ starts_at: Date }>`
    select distinct starts_at from report_facts
    where tenant_id = ${tx.tenantId} and survey_id = ${surveyId} and cell = ${ALL}
      and starts_at > ${since}::timestamptz - interval '1 day' and starts_at < ${until} order by starts_at`)
  return rows.map((row) => row.starts_at)
}

/** Days with rollups and without facts, or with those of an earlier version, the newest first. */
export async function listMissingDays(tx: ReadTx, surveyId: Id<'survey'>): Promise<{ starts_at: Date; n: number }[]> {
  return tx.many(sql<{ starts_at: Date; n: number }>`
    select u.starts_at, u.responses as n from report_rollups u
    where u.tenant_id = ${tx.tenantId} and u.survey_id = ${surveyId} and u.minutes = 1440 and not exists (
      select from report_facts f where f.tenant_id = ${tx.tenantId} and f.survey_id = ${surveyId} and f.cell = ${TRIGRAMS}
        and f.starts_at = u.starts_at and f.ids is not null)
    order by u.starts_at desc limit 100`)
}

/** The different cells of these days that begin with a prefix. After it comes `,` or `]`, which are below `^`. */
export async function listCells(
  tx: ReadTx,
  surveyIds: Id<'survey'>[],
  { since, until }: Span,
  prefixes: string[],
): Promise<string[]> {
  const rows = await tx.many(sql<{ cell: string }>`
    select distinct f.cell from unnest(${prefixes}::text[]) as one (prefix)
    cross join lateral (
      select cell from report_facts
      where tenant_id = ${tx.tenantId} and survey_id = any(${surveyIds}::uuid[]) and cell >= one.prefix collate "C" and cell < (one.prefix || '^') collate "C"
        and starts_at > ${since}::timestamptz - interval '1 day' and starts_at < ${until} offset 0) as f`)
  return rows.map((row) => row.cell)
}

export function deleteFacts(tx: TenantTx, surveyId: Id<'survey'>, days: Date[]): Promise<number> {
  return tx.run(sql`
    delete from report_facts where tenant_id = ${tx.tenantId} and survey_id = ${surveyId} and starts_at = any(${days}::timestamptz[])`)
}

/** Makes the facts of whole days. Nobody filters anonymous responses, so they have no bits. */
export async function insertFacts(tx: TenantTx, surveyId: Id<'survey'>, days: Date[]): Promise<void> {
  const columns = sql`r.id, r.recorded_at, r.state, r.path, r.answers, r.text, r.channel, r.language, r.metric, r.band, r.score, r.agent_id, r.tags, r.quality_flags, r.custom_data`
  await tx.many(sql`
    with r as materialized (
      select numbered.*, numbered.nr / ${PART}::int as part, numbered.nr % ${PART}::int as at, numbered.nr / ${BLOCK}::int as block from (
        select r.*, (row_number() over (partition by r.starts_at order by r.recorded_at, r.id) - 1)::int as nr
        from unnest(${days}::timestamptz[]) as day (starts_at) cross join lateral (
          select day.starts_at, ${columns} from responses r
          where r.tenant_id = ${tx.tenantId} and r.survey_id = ${surveyId} and r.recorded_at >= '-infinity' and r.recorded_at >= day.starts_at
            and r.recorded_at < day.starts_at + interval '1 day' and r.anonymity is null offset 0) as r) as numbered),
    whole as materialized (
      select day.starts_at, coalesce(r.part, 0) as part, array_agg(r.recorded_at order by r.at) filter (where r.at >= 0) as recorded,
        repeat('0', count(r.at)::int)::varbit as none
      from unnest(${days}::timestamptz[]) as day (starts_at) left join r using (starts_at) group by 1, 2),
    facts (starts_at, part, at, kind, a, b, c, d) as (
      select r.starts_at, r.part, r.at, one.* from r cross join lateral (values
        ('state', r.state, null, null, null), ('channel', r.channel, null, null, null), ('language', r.language, null, null, null),
        ('metric', r.metric, null, null, null), ('band', r.band, null, null, null), ('agent_id', r.agent_id::text, null, null, null),
        ('points', coalesce(r.metric, ''), r.score::text, null, null)) as one (kind, a, b, c, d) where one.a is not null and (one.kind <> 'points' or one.b is not null)
      union all
      select r.starts_at, r.part, r.at, 'score', scored.type, scored.value, null, null from r ${sql.raw(FIRST_SCORES)} where scored.value is not null
      union all
      select r.starts_at, r.part, r.at, listed.* , null, null, null from r cross join lateral (
        select 'tag', unnest(r.tags) union all select 'quality_flag', unnest(r.quality_flags) union all select 'reached', unnest(r.path)
        union all select 'dropped', r.path[cardinality(r.path)] where cardinality(r.path) > 0
        union all select 'spoken', item ->> 'question_id' from jsonb_array_elements(r.text) as given (item)) as listed (kind, a)
      union all
      select r.starts_at, r.part, r.at, kinds.kind, given.item ->> 'question_id', null, null, null
      from r cross join lateral jsonb_array_elements(r.answers || r.text) as given (item) cross join (values ('answered'), ('finished')) as kinds (kind)
      union all
      select r.starts_at, r.part, r.at, case when length(value::text) > ${LONGEST_VALUE} then 'many' else 'custom' end, 
        case when length(value::text) > ${LONGEST_VALUE} then 'custom' else name end, case when length(value::text) > ${LONGEST_VALUE} then name else value::text end, null, null
      from r cross join lateral jsonb_each(r.custom_data) as given (name, value)
      union all
      select r.starts_at, r.part, r.at, 'answer', given.item ->> 'question_id', given.item ->> 'type', single.part, single.value from r ${sql.raw(ANSWER_PARTS)}),
    holding as materialized (
      select starts_at, part, kind, a, b, c, d, bit_or(set_bit(w.none, at, 1)) as holds
      from facts join whole w using (starts_at, part) group by 1, 2, 3, 4, 5, 6, 7),
    various as materialized (
      select starts_at, kind, case kind when 'custom' then a end as name from holding where kind = any(${FILTERING}::text[])
      group by 1, 2, 3 having count(distinct case kind when 'custom' then b else a end) > ${MOST_VALUES}),
    blocks as materialized (
      select day.starts_at, coalesce(r.block, 0) as block, array[min(r.recorded_at), max(r.recorded_at)] as recorded,
        case when count(r.id) = 0 then '{}' else array[min(r.id::text collate "C")::uuid, max(r.id::text collate "C")::uuid] end as ids
      from unnest(${days}::timestamptz[]) as day (starts_at) left join r using (starts_at) group by 1, 2),
    words as materialized (
      select distinct r.starts_at, r.block, convert_to(split.word, 'UTF8') as word
      from r cross join lateral jsonb_path_query(r.text, '$[*].value.** ? (@.type() == "string")') as given (value)
      cross join lateral regexp_split_to_table(${foldedToAscii(sql`(value #>> '{}')`)}, '[^a-z0-9]+') as split (word)
      where length(split.word) >= 3),
    trigrams as materialized (
      select starts_at, block, bit_or(set_bit(${NO_TRIGRAMS}, bit, 1)) as holds from (
        select distinct starts_at, block, (get_byte(word, at) * 65536 + get_byte(word, at + 1) * 256 + get_byte(word, at + 2)) % ${TRIGRAM_BITS}::int as bit
        from words cross join lateral generate_series(0, length(word) - 3) as at) as found group by 1, 2)
    insert into report_facts (tenant_id, survey_id, starts_at, part, cell, among, holds, recorded, ids)
    select ${tx.tenantId}, ${surveyId}, starts_at, part, cell, among, holds, recorded, ids from (
      select starts_at, part, ${ALL} as cell, null as among, ~none as holds, recorded, null::uuid[] as ids from whole
      union all
      select starts_at, block, ${TRIGRAMS}, null, coalesce(t.holds, ${NO_TRIGRAMS}), recorded, ids from blocks left join trigrams t using (starts_at, block)
      union all
      select v.starts_at, w.part, case when v.name is null then jsonb_build_array('many', v.kind) else jsonb_build_array('many', v.kind, v.name) end::text, null, w.none, null, null from various v join whole w using (starts_at)
      union all
      select h.starts_at, h.part,
        case when h.kind = 'answer' then jsonb_build_array(h.kind, h.a, h.b, h.c, h.d)
          when h.kind in ('score', 'points', 'custom', 'many') then jsonb_build_array(h.kind, h.a, h.b) else jsonb_build_array(h.kind, h.a) end::text,
        case when h.kind = 'state' then 'all' when h.kind in ('reached', 'answered') then 'counted' when h.kind = 'dropped' then 'open'
          when h.kind in ('score', 'points', 'finished', 'answer') then 'completed' end,
        h.holds, null, null
      from holding h where not exists (select from various v where v.starts_at = h.starts_at and v.kind = h.kind and v.name is not distinct from case h.kind when 'custom' then h.a end)) as made
    on conflict do nothing returning starts_at`)
}

const NO_TRIGRAMS = sql.raw(`repeat('0', ${TRIGRAM_BITS})::varbit`)
const FILTERING = ['channel', 'language', 'agent_id', 'tag', 'quality_flag', 'custom']
