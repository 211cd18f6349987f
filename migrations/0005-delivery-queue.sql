-- The job of each delivery that is not finished. The ledger keeps what happened and grows; the queue holds
-- only what is still to do, so that a claim costs the same however long the ledger is, and the ledger's own
-- row changes without touching one of its indexes (HOT).
create table webhook_queue (
  tenant_id uuid not null,
  delivery_id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  -- Since it was enqueued or replayed, 0 to 4.
  attempts integer not null default 0,
  -- Null while the webhook is disabled.
  next_attempt_at timestamptz,
  lease_until timestamptz,
  lease_token uuid,
  -- When it was enqueued, or last replayed.
  created_at timestamptz not null,
  primary key (tenant_id, delivery_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
-- A claim's update touches no index: the lease stands in none.
create index webhook_queue_due on webhook_queue (tenant_id, webhook_id, next_attempt_at);
select app.isolate('webhook_queue');
create policy due on webhook_queue for select to earshot_system using (true);
grant select (tenant_id, webhook_id, next_attempt_at, created_at) on webhook_queue to earshot_system;

-- What has no job yet: unfinished rows of now, and those that a process of the previous version still writes
-- during an upgrade. The workers of this version adopt them. Contract: `queued`, `next_attempt_at`,
-- `lease_until` and `lease_token` of the ledger go with the release after the next.
alter table webhook_deliveries add column queued boolean not null default true;
alter table webhook_deliveries alter column queued set default false;
alter table webhook_deliveries no force row level security;
update webhook_deliveries set queued = false where status <> 'delivered' and not dead_lettered;
alter table webhook_deliveries force row level security;
create index webhook_deliveries_unqueued on webhook_deliveries (tenant_id) where not queued or next_attempt_at is not null;
grant select (queued) on webhook_deliveries to earshot_system;

-- Room on its own page for the one new version that most rows get: with 60 a quarter of them had to move.
alter table webhook_deliveries set (fillfactor = 50);

-- Indexes whose columns change with every delivery made each one a change of all indexes.
drop index webhook_deliveries_due;
drop index webhook_deliveries_parked;
drop index webhook_deliveries_failed;
create index webhook_deliveries_dead on webhook_deliveries (tenant_id, id) where dead_lettered;
create index webhook_deliveries_of_survey on webhook_deliveries (tenant_id, survey_id, id);
create index webhook_deliveries_of_event on webhook_deliveries (tenant_id, event, id);
