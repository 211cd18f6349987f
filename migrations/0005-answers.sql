-- No foreign key to the survey: its check would lock one row for every respondent, and a survey
-- that was ever published is never deleted.
create table responses (
  tenant_id uuid not null,
  id uuid not null,
  survey_id uuid not null,
  survey_version integer not null,
  state text not null check (state in (
    'started', 'partial', 'completed', 'screened_out', 'over_quota', 'quarantined', 'deleted'
  )),
  -- Of a quarantined response: the state that a release leads to.
  held_state text,
  channel text not null,
  language text not null,
  answers jsonb not null,
  -- Words of the respondent's own, never in `answers`.
  text jsonb not null,
  custom_data jsonb not null,
  -- Question ids that the respondent met, in order; of an unfinished response the last is where it
  -- stopped.
  path text[] not null,
  metric text,
  score integer,
  band text,
  agent_id uuid,
  started_at timestamptz not null,
  -- When the respondent finished, whatever the outcome.
  completed_at timestamptz,
  -- Where a report places it in time.
  recorded_at timestamptz generated always as (coalesce(completed_at, started_at)) stored,
  duration_ms bigint,
  tags text[] not null,
  notes jsonb not null,
  quality_flags text[] not null,
  -- Hash of the device, contact or token that may answer once.
  dedupe_key text,
  -- Quotas that it counts in.
  quotas text[] not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
create index responses_of_survey on responses (tenant_id, survey_id, id)
  where survey_id >= '00000000-0000-0000-0000-000000000000';
create unique index responses_once on responses (tenant_id, survey_id, dedupe_key)
  where dedupe_key is not null and completed_at is not null;
create index responses_report on responses (tenant_id, survey_id, recorded_at)
  include (state, metric, score) where recorded_at >= '-infinity';
select app.isolate('responses');
create policy age on responses for select to earshot_system using (true);
grant select (tenant_id, id) on responses to earshot_system;

-- How far the rollups of a survey reach; there once a report met more responses than are quickly
-- counted.
create table report_surveys (
  tenant_id uuid not null,
  survey_id uuid not null,
  -- Whoever writes a response recorded before this moment marks its quarter of an hour.
  sealed_until timestamptz not null,
  -- A transaction number: once every earlier transaction has ended, all who did not know of the
  -- seal have.
  barrier bigint,
  rolled_until timestamptz not null,
  next_at timestamptz not null,
  primary key (tenant_id, survey_id)
);
create index report_surveys_due on report_surveys (tenant_id, next_at) where next_at >= '-infinity';
select app.isolate('report_surveys', 'select, insert, update');
create policy due on report_surveys for select to earshot_system using (true);
grant select (tenant_id, next_at) on report_surveys to earshot_system;

-- Counts of the responses recorded in a quarter of an hour, or in a day in UTC; no row where there
-- are none.
create table report_rollups (
  tenant_id uuid not null,
  survey_id uuid not null,
  minutes integer not null check (minutes in (15, 1440)),
  starts_at timestamptz not null,
  -- For the trend: neither quarantined nor deleted; completed; and how often each score of the
  -- scale was given.
  responses integer not null,
  completed integer not null,
  nps integer[],
  csat integer[],
  ces integer[],
  -- Everything else: cell -> count.
  counts jsonb not null,
  primary key (tenant_id, survey_id, minutes, starts_at)
)
-- `counts` stands beside the table and the scores within it, so that a trend reads a tenth of the
-- pages.
with (toast_tuple_target = 128);
alter table report_rollups
  alter nps set storage plain, alter csat set storage plain, alter ces set storage plain;
select app.isolate('report_rollups', 'select, insert, delete');

-- Quarters whose rollup no longer counts what is there. Only ever appended by writers, so that none
-- waits for another.
create table report_marks (
  tenant_id uuid not null,
  survey_id uuid not null,
  id uuid not null,
  starts_at timestamptz not null,
  primary key (tenant_id, survey_id, id)
);
create index report_marks_of_time on report_marks (tenant_id, survey_id, starts_at);
select app.isolate('report_marks', 'select, insert, delete');
