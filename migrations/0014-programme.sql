-- People whom surveys ask about.
create table agents (
  tenant_id uuid not null,
  id uuid not null,
  -- The workspace's own id. Null for an agent who is known by our id alone.
  external_id text,
  name text not null,
  team text,
  email text,
  active boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
select app.isolate('agents');
create unique index agents_by_external_id on agents (tenant_id, external_id)
  where external_id is not null;

-- Leaderboards and scorecards read scores from here alone.
create index responses_of_agent on responses (tenant_id, agent_id, metric, completed_at)
  include (survey_id, score) where agent_id is not null and state = 'completed';

create index sends_of_agent on sends (tenant_id, agent_id, accepted_at) where agent_id is not null;

-- Working hours of alerts. Null: all hours.
alter table workspaces add column business_hours jsonb;

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
  -- Of an enabled rule about a drop: when its figures are next looked at. A claim moves it on.
  check_at timestamptz,
  primary key (tenant_id, id)
);
create index alert_rules_due on alert_rules (tenant_id, check_at) where check_at is not null;
select app.isolate('alert_rules');
create policy due on alert_rules for select to earshot_system using (true);
grant select (tenant_id, check_at) on alert_rules to earshot_system;

-- A new one for each change of a rule, so that processes may remember the rules.
create table alert_rule_revisions (
  tenant_id uuid primary key,
  revision uuid not null
);
select app.isolate('alert_rule_revisions', 'select, insert, update');

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
  -- Members who are told of it.
  notify uuid[] not null,
  revision integer not null,
  primary key (tenant_id, id)
);
create unique index alerts_once on alerts (tenant_id, rule_id, cause) where cause > '';
create index alerts_of_response on alerts (tenant_id, response_id) where response_id is not null;
create index alerts_open on alerts (tenant_id, status, id) where status > '';
create index alerts_to_escalate on alerts (tenant_id, escalate_at) where escalate_at is not null;
select app.isolate('alerts');
create policy due on alerts for select to earshot_system using (true);
grant select (tenant_id, id, escalate_at, opened_at) on alerts to earshot_system;

-- What happened to an alert, comments among it.
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
create index leads_of_response on leads (tenant_id, response_id) where response_id is not null;
select app.isolate('leads');
create policy age on leads for select to earshot_system using (true);
grant select (tenant_id, id, updated_at) on leads to earshot_system;
