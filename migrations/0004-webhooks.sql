-- What happened, told once: every delivery renders its body from here, at each attempt.
create table events (
  tenant_id uuid not null,
  id uuid not null,
  type text not null,
  survey_id uuid,
  -- Names the cause, so that the same cause never makes a second event; "C", so that what begins alike
  -- is a range of the index.
  source text collate "C" not null,
  -- Unredacted JSON as text: parsed and rendered by the sender only.
  data text not null,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
create unique index events_source on events (tenant_id, source, type);
select app.isolate('events');

create table webhooks (
  tenant_id uuid not null,
  id uuid not null,
  url text not null,
  description text not null,
  events text[] not null,
  survey_ids uuid[] not null,
  include_text boolean not null,
  include_custom_data boolean not null,
  include_answers boolean not null,
  enabled boolean not null,
  disabled_reason text,
  -- Sealed; null for a legacy registration, which is delivered unsigned.
  secret text,
  secret_preview text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_delivered_at timestamptz,
  last_failed_at timestamptz,
  -- Since when every attempt has failed; null after a success.
  failing_since timestamptz,
  primary key (tenant_id, id)
);
select app.isolate('webhooks');

-- The ledger. The row is the job: a claim sets the lease columns, which no index knows, so that it is a
-- HOT update; hence also no foreign keys here, whose checks would lock the hottest rows of the database.
create table webhook_deliveries (
  tenant_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  event text not null,
  survey_id uuid,
  -- The backfill that sent it again; zero for the first sending.
  backfill_id uuid not null default '00000000-0000-0000-0000-000000000000',
  status text not null check (status in ('pending', 'delivered', 'failed')),
  dead_lettered boolean not null default false,
  -- Attempts since it was enqueued or replayed, 0 to 5, and the number of the last one in its log.
  attempts integer not null default 0,
  attempts_logged integer not null default 0,
  next_attempt_at timestamptz,
  lease_until timestamptz,
  lease_token uuid,
  last_status_code integer,
  last_error text,
  last_latency_ms integer,
  created_at timestamptz not null,
  delivered_at timestamptz,
  primary key (tenant_id, id)
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
create unique index webhook_deliveries_once on webhook_deliveries (tenant_id, event_id, webhook_id, backfill_id);
create index webhook_deliveries_due on webhook_deliveries (tenant_id, webhook_id, next_attempt_at) where next_attempt_at is not null;
-- Unfinished rows that wait for their webhook to be enabled.
create index webhook_deliveries_parked on webhook_deliveries (tenant_id, webhook_id, id)
  where next_attempt_at is null and status <> 'delivered' and not dead_lettered;
create index webhook_deliveries_of_webhook on webhook_deliveries (tenant_id, webhook_id, id);
create index webhook_deliveries_failed on webhook_deliveries (tenant_id, id) where status = 'failed';
select app.isolate('webhook_deliveries');
-- Background work looks for tenants and endpoints with something due; it sees no more than that.
create policy due on webhook_deliveries for select to earshot_system using (true);
grant select (tenant_id, webhook_id, next_attempt_at, lease_until, created_at, status, dead_lettered) on webhook_deliveries to earshot_system;

create table webhook_attempts (
  tenant_id uuid not null,
  delivery_id uuid not null,
  n integer not null,
  at timestamptz not null,
  status_code integer,
  latency_ms integer,
  error text,
  response_excerpt text,
  -- What was signed: unix seconds, the header's value, and the hash of the exact bytes.
  timestamp bigint,
  signature text,
  body_sha256 text not null,
  omitted text[] not null,
  primary key (tenant_id, delivery_id, n)
);
select app.isolate('webhook_attempts');

-- Replays and backfills of many rows: resumable, a batch at a time.
create table webhook_jobs (
  tenant_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('replay', 'backfill')),
  webhook_id uuid,
  event text,
  survey_id uuid,
  since timestamptz,
  until timestamptz not null,
  -- The last row that was handled.
  cursor uuid,
  lease_until timestamptz,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
select app.isolate('webhook_jobs');
create policy due on webhook_jobs for select to earshot_system using (true);
grant select (tenant_id, id, kind, lease_until) on webhook_jobs to earshot_system;
