import { rollupSweep } from '../../src/features/answers/reporting/report/reporting.routes.ts'
import { parseId } from '../../src/platform/ids.ts'
import type { House } from './house.ts'

/** A live survey of six questions, with responses spread over the last year. Returns its id. */
export async function fillYear({ call, sql }: Pick<House, 'call' | 'sql'>, responses: number): Promise<string> {
  const choices = (ids: string) => [...ids].map((id) => ({ id, label: id }))
  const { id } = await call<{ id: string }>('POST', '/v1/surveys', {
    name: 'Bench',
    metric: 'nps',
    questions: [
      { id: 'q1', type: 'nps', title: 'T', required: true },
      { id: 'q2', type: 'single', title: 'T', choices: choices('abcde'), allow_other: true },
      { id: 'q3', type: 'multi', title: 'T', choices: choices('abcdefgh') },
      { id: 'q4', type: 'csat', title: 'T' },
      { id: 'q5', type: 'matrix', title: 'T', rows: choices('xyz'), columns: choices('abcd') },
      { id: 'q6', type: 'open_text', title: 'T' },
    ],
  })
  await call('POST', `/v1/surveys/${id}/publish`)
  await sql(
    `with made as materialized (
         select n, now() - interval '365 days' * (1 - n::float8 / $2) as at, random() as r, floor(random() * 11)::int as nps, floor(random() * 5)::int as csat,
           substr('abcdef', 1 + floor(random() * 6)::int, 1) as one, substr('abcdefgh', 1 + floor(random() * 8)::int, 1) as two, substr('abcd', 1 + floor(random() * 4)::int, 1) as cell
         from generate_series(1, $2::int) as n)
       insert into responses (tenant_id, id, survey_id, survey_version, state, channel, language, answers, text, custom_data, path, metric, score, band, started_at, completed_at,
         tags, notes, quality_flags, quotas, updated_at)
       select s.tenant_id, gen_random_uuid(), s.id, 1, state, case when n % 4 = 0 then 'email' else 'web' end, 'en',
         case when state = 'deleted' then '[]' when state = 'partial' then jsonb_build_array(jsonb_build_object('question_id', 'q1', 'type', 'nps', 'value', nps)) else jsonb_build_array(
           jsonb_build_object('question_id', 'q1', 'type', 'nps', 'value', nps), jsonb_build_object('question_id', 'q2', 'type', 'single', 'value', case one when 'f' then 'other' else one end),
           jsonb_build_object('question_id', 'q3', 'type', 'multi', 'value', case when two = 'a' then jsonb_build_array('a') else jsonb_build_array('a', two) end),
           jsonb_build_object('question_id', 'q4', 'type', 'csat', 'value', csat + 1),
           jsonb_build_object('question_id', 'q5', 'type', 'matrix', 'value', jsonb_build_object('x', cell, 'y', 'a', 'z', cell))) end,
         case when n % 3 = 0 and state = 'completed' then '[{"question_id": "q6", "value": "Quick and friendly, though the parcel came a day late."}]' else '[]' end::jsonb,
         '{"plan": "pro"}', case when state = 'partial' then '{q1,q2}' else '{q1,q2,q3,q4,q5,q6}' end::text[],
         case when state = 'completed' then 'nps' end, case when state = 'completed' then nps end, case when state = 'completed' then case when nps > 8 then 'promoter' when nps > 6 then 'passive' else 'detractor' end end,
         at - interval '1 minute', case when state <> 'partial' then at end, '{}', '[]', '{}', '{}', at
       from made cross join lateral (select case when r < 0.85 then 'completed' when r < 0.95 then 'partial' when r < 0.98 then 'screened_out' when r < 0.99 then 'quarantined' else 'deleted' end as state) as fate
       cross join (select tenant_id, id from surveys where id = $1) as s order by n`,
    [parseId('survey', id), responses],
  )
  // A year of responses came at once: autovacuum would have seen them day by day.
  await sql('vacuum analyze')
  return id
}

/** Rolls up everything that waits for it. */
export async function rollAll({ services, sql }: House): Promise<void> {
  const sweep = { limit: 100, signal: new AbortController().signal, renew: async () => true }
  while ((await services.run((system) => rollupSweep.run(system, sweep))) >= sweep.limit);
  await sql('vacuum analyze')
}
