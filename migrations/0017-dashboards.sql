-- Dashboards. The built-in one has the id of its workspace, and a row only once somebody changed it.
create table dashboards (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  period jsonb not null,
  timezone text not null,
  filter jsonb not null,
  widgets jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
select app.isolate('dashboards');

-- Links by which people without an account read a dashboard.
create table dashboard_shares (
  tenant_id uuid not null,
  id uuid not null,
  dashboard_id uuid not null,
  token_hash text not null,
  password_hash text,
  expires_at timestamptz,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, token_hash)
);
select app.isolate('dashboard_shares');
create index dashboard_shares_of_dashboard on dashboard_shares (tenant_id, dashboard_id);

-- Dashboards that are mailed on a schedule.
create table reports (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  dashboard_id uuid not null,
  schedule jsonb,
  recipients uuid[] not null,
  format text not null check (format in ('html', 'pdf')),
  enabled boolean not null,
  -- The next time of its schedule. Null without one, and while it is disabled.
  next_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
select app.isolate('reports');
create index reports_due on reports (tenant_id, next_at) where next_at is not null;
create policy due on reports for select to earshot_system using (true);
grant select (tenant_id, next_at) on reports to earshot_system;

create table report_runs (
  tenant_id uuid not null,
  id uuid not null,
  report_id uuid not null,
  -- The time of the schedule that it is for. Null if somebody started it.
  scheduled_for timestamptz,
  status text not null check (status in ('waiting', 'running', 'completed', 'failed')),
  -- Steps that are done: 1 is the document, 2 the mails.
  steps_done integer not null,
  recipients uuid[] not null,
  format text not null,
  error text,
  attempts integer not null,
  -- When it is claimed next. A claim moves it to the end of its lease.
  next_at timestamptz,
  lease_token uuid,
  -- Figures only, never a respondent's words. Sealed.
  document text,
  document_type text,
  created_at timestamptz not null,
  completed_at timestamptz,
  primary key (tenant_id, id)
);
select app.isolate('report_runs');
create unique index report_runs_once on report_runs (tenant_id, report_id, scheduled_for)
  where scheduled_for is not null;
create index report_runs_of_report on report_runs (tenant_id, report_id, id);
create index report_runs_due on report_runs (tenant_id, next_at) where next_at is not null;
create policy due on report_runs for select to earshot_system using (true);
grant select (tenant_id, id, next_at, created_at) on report_runs to earshot_system;

-- What a person made of a list: its filter, columns and order.
create table filter_views (
  tenant_id uuid not null,
  id uuid not null,
  owner_id uuid,
  name text not null,
  entity text not null,
  filter jsonb not null,
  columns text[] not null,
  sort text,
  visibility text not null check (visibility in ('private', 'shared')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
select app.isolate('filter_views');

-- The view with which a list opens, for each person and kind of list.
create table filter_view_defaults (
  tenant_id uuid not null,
  user_id uuid not null,
  entity text not null,
  view_id uuid not null,
  primary key (tenant_id, user_id, entity)
);
select app.isolate('filter_view_defaults');

-- Dashboards count by these columns alone, without the rows.
create index responses_figures on responses (tenant_id, recorded_at)
  include (survey_id, state, metric, score, channel, language, band, agent_id, duration_ms, anonymity)
  where recorded_at <= 'infinity';
