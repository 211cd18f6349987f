create table surveys (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  state text not null check (state in ('draft', 'live', 'paused', 'closed', 'archived')),
  -- The draft that is edited; respondents meet survey_versions.
  definition jsonb not null,
  -- Counts every change; the ETag.
  revision integer not null,
  -- The latest published version, 0 before the first.
  version integer not null,
  unpublished_changes boolean not null,
  -- Question id -> type, of every version so far.
  frozen_types jsonb not null,
  starts_at timestamptz,
  closes_at timestamptz,
  response_limit integer check (response_limit > 0),
  published_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
select app.isolate('surveys');

create table survey_versions (
  tenant_id uuid not null,
  survey_id uuid not null,
  version integer not null,
  -- UUIDv7, for pages.
  id uuid not null,
  definition jsonb not null,
  published_at timestamptz not null,
  published_by text,
  primary key (tenant_id, survey_id, version)
);
select app.isolate('survey_versions', 'select, insert');

-- How many completed responses each quota holds; `*` is the survey's response_limit, there while it has one.
create table quota_counts (
  tenant_id uuid not null,
  survey_id uuid not null,
  quota_id text not null,
  count integer not null,
  primary key (tenant_id, survey_id, quota_id),
  foreign key (tenant_id, survey_id) references surveys (tenant_id, id) on delete cascade
);
select app.isolate('quota_counts');

-- No foreign key to the survey: its check would lock one row for every respondent, and a survey that was
-- ever published is never deleted.
create table responses (
  tenant_id uuid not null,
  id uuid not null,
  survey_id uuid not null,
  survey_version integer not null,
  state text not null check (state in ('started', 'partial', 'completed', 'screened_out', 'over_quota', 'quarantined', 'deleted')),
  -- Of a quarantined response: the state that a release leads to.
  held_state text,
  channel text not null,
  language text not null,
  answers jsonb not null,
  -- Words of the respondent's own, never in `answers`.
  text jsonb not null,
  custom_data jsonb not null,
  -- Question ids that the respondent met, in order; of an unfinished response the last is where it stopped.
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
create index responses_of_survey on responses (tenant_id, survey_id, id);
create unique index responses_once on responses (tenant_id, survey_id, dedupe_key) where dedupe_key is not null and completed_at is not null;
create index responses_report on responses (tenant_id, survey_id, recorded_at) include (state, metric, score);
select app.isolate('responses');
