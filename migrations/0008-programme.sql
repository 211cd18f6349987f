create table alert_rules (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  enabled boolean not null,
  -- Empty: every survey.
  survey_ids uuid[] not null,
  trigger jsonb not null,
  priority text not null check (priority in ('low', 'normal', 'high', 'urgent')),
  owner_id uuid,
  due_in_minutes integer,
  business_hours boolean not null,
  escalate_after_minutes integer,
  escalate_to uuid,
  notify jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Of an enabled rule about a drop: when it looks at its figures next. A claim moves it on.
  check_at timestamptz,
  primary key (tenant_id, id)
);
create index alert_rules_due on alert_rules (tenant_id, check_at) where check_at is not null;
select app.isolate('alert_rules');
create policy due on alert_rules for select to earshot_system using (true);
grant select (tenant_id, check_at) on alert_rules to earshot_system;

create table alerts (
  tenant_id uuid not null,
  id uuid not null,
  rule_id uuid not null,
  response_id uuid,
  survey_id uuid,
  -- The cause: a response, or a survey and the day of its drop. A rule opens one alert for it.
  cause text not null,
  status text not null check (status in (
    'new', 'acknowledged', 'in_progress', 'resolved', 'closed', 'reopened'
  )),
  priority text not null check (priority in ('low', 'normal', 'high', 'urgent')),
  owner_id uuid,
  opened_at timestamptz not null,
  due_at timestamptz,
  -- The time of its escalation, while it waits for one.
  escalate_at timestamptz,
  escalate_to uuid,
  escalated_at timestamptz,
  acknowledged_at timestamptz,
  resolved_at timestamptz,
  closed_at timestamptz,
  score double precision,
  -- Words of a respondent or a member. Sealed.
  excerpt text,
  root_cause text,
  resolution text,
  case_url text,
  comment_count integer not null,
  -- Members who are notified of it.
  notify uuid[] not null,
  revision integer not null,
  primary key (tenant_id, id)
);
create unique index alerts_once on alerts (tenant_id, rule_id, cause) where cause > '';
create index alerts_of_response on alerts (tenant_id, response_id) where response_id is not null;
create index alerts_open on alerts (tenant_id, status, id) where status > '';
-- The orders of the list.
create index alerts_opened on alerts (tenant_id, opened_at) where opened_at <= 'infinity';
create index alerts_by_due on alerts (tenant_id, due_at) where due_at is not null;
create index alerts_by_priority on alerts
  (tenant_id, array_position(array['low', 'normal', 'high', 'urgent'], priority), id)
  where priority > '';
create index alerts_to_escalate on alerts (tenant_id, escalate_at) where escalate_at is not null;
select app.isolate('alerts');
create policy due on alerts for select to earshot_system using (true);
grant select (tenant_id, id, escalate_at, opened_at) on alerts to earshot_system;

-- The history of an alert, with its comments.
create table alert_entries (
  tenant_id uuid not null,
  alert_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  -- A member, an API key or a webhook. Null: the system.
  actor text,
  kind text not null,
  before text,
  after text,
  -- Sealed.
  text text,
  primary key (tenant_id, alert_id, id)
);
select app.isolate('alert_entries');
alter table alert_entries add foreign key (tenant_id, alert_id)
  references alerts (tenant_id, id) on delete cascade;

create table leads (
  tenant_id uuid not null,
  id uuid not null,
  status text not null check (status in ('new', 'contacted', 'qualified', 'converted', 'lost')),
  source text not null check (source in ('response', 'manual')),
  response_id uuid,
  survey_id uuid,
  email_hash text,
  phone_hash text,
  -- Name, addresses, company, words of consent and notes. Sealed.
  contact text,
  consent_given boolean,
  consent_at timestamptz,
  owner_id uuid,
  follow_up_at timestamptz,
  tags text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
create unique index leads_by_email on leads (tenant_id, email_hash) where email_hash is not null;
create unique index leads_by_phone on leads (tenant_id, phone_hash) where phone_hash is not null;
create index leads_created on leads (tenant_id, created_at) where created_at <= 'infinity';
create index leads_to_follow on leads (tenant_id, follow_up_at) where follow_up_at is not null;
create index leads_of_response on leads (tenant_id, response_id) where response_id is not null;
select app.isolate('leads');
create policy age on leads for select to earshot_system using (true);
grant select (tenant_id, id, updated_at) on leads to earshot_system;

create table badges (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  survey_id uuid not null,
  metric text not null check (metric in ('nps', 'csat', 'ces')),
  period_days integer not null,
  min_n integer not null,
  label text not null,
  style text not null check (style in ('flat', 'card')),
  color text not null,
  enabled boolean not null,
  -- In every page that shows the badge, so it is no secret.
  token text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, token)
);
select app.isolate('badges');

-- The built-in dashboard has the id of its workspace, and a row only once somebody changed it.
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
  unique (token_hash, tenant_id)
);
create index dashboard_shares_of_dashboard on dashboard_shares (tenant_id, dashboard_id);
select app.isolate('dashboard_shares');

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
  -- A report acts with the present permissions of its maker (usr_… or key_…). Without one it pauses
  -- until a member takes it over.
  maker text,
  paused_reason text check (paused_reason in ('maker_left', 'maker_not_permitted')),
  -- The next time of its schedule. Null without one, and while it is disabled.
  next_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
create index reports_due on reports (tenant_id, next_at) where next_at is not null;
select app.isolate('reports');
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
  -- Figures by what people chose or a field holds, never texts. Sealed. Null once it named somebody
  -- who was erased.
  document text,
  document_type text,
  created_at timestamptz not null,
  completed_at timestamptz,
  primary key (tenant_id, id)
);
create unique index report_runs_once on report_runs (tenant_id, report_id, scheduled_for)
  where scheduled_for is not null;
create index report_runs_of_report on report_runs (tenant_id, report_id, id);
create index report_runs_due on report_runs (tenant_id, next_at) where next_at is not null;
select app.isolate('report_runs');
create policy due on report_runs for select to earshot_system using (true);
grant select (tenant_id, id, next_at, created_at) on report_runs to earshot_system;

-- A change of many rows of a list, which acts as its maker.
create table batches (
  tenant_id uuid not null,
  id uuid not null,
  list text not null,
  -- With null in place of words.
  change jsonb not null,
  -- Its tags, attributes and agent, sealed. Null without words, and once they are forgotten.
  words text,
  status text not null
    check (status in ('running', 'paused', 'completed', 'cancelled', 'undoing', 'undone')),
  total integer not null,
  maker text,
  created_by text,
  created_at timestamptz not null,
  completed_at timestamptz,
  undo_until timestamptz,
  paused_reason text check (paused_reason in ('maker_left', 'maker_not_permitted')),
  failures integer not null,
  -- When its rows are worked on next, or its lease ends. Null once it has ended.
  next_at timestamptz,
  lease_token uuid,
  primary key (tenant_id, id)
);
create index batches_due on batches (tenant_id, next_at) where next_at is not null;
create index batches_to_forget on batches (tenant_id, undo_until) where undo_until is not null;
select app.isolate('batches');
create policy due on batches for select to earshot_system using (true);
grant select (tenant_id, id, next_at, undo_until, completed_at) on batches to earshot_system;

create table batch_rows (
  tenant_id uuid not null,
  batch_id uuid not null,
  row_id uuid not null,
  -- Null until it is done.
  outcome text check (outcome in ('changed', 'unchanged', 'failed')),
  code text,
  -- The values of the row before and after, sealed. Null once it cannot be undone any more.
  kept text,
  undone boolean,
  primary key (tenant_id, batch_id, row_id)
);
create index batch_rows_left on batch_rows (tenant_id, batch_id, row_id) where outcome is null;
create index batch_rows_of on batch_rows (tenant_id, row_id);
select app.isolate('batch_rows');
alter table batch_rows add foreign key (tenant_id, batch_id)
  references batches (tenant_id, id) on delete cascade;

-- A person's saved view of a list: its filter, columns and order.
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
