-- How far the delivery log of a workspace is counted; there once somebody read more rows than are quickly counted.
create table webhook_ledgers (
  tenant_id uuid primary key,
  -- Whoever writes or removes a delivery with a lower id notes it as a change.
  sealed_id uuid not null,
  -- A transaction number: once every earlier transaction has ended, all who did not know of the seal have.
  barrier bigint,
  -- Deliveries with a lower id are counted.
  rolled_id uuid not null,
  next_at timestamptz not null
);
select app.isolate('webhook_ledgers', 'select, insert, update');
create policy due on webhook_ledgers for select to earshot_system using (true);
grant select (tenant_id, next_at) on webhook_ledgers to earshot_system;

-- Deliveries from one id to the next, counted together. A span begins where the one before it ends.
create table webhook_ledger_spans (
  tenant_id uuid not null,
  until_id uuid not null,
  -- No counted delivery was created before the first or after the last of these moments.
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (tenant_id, until_id)
);
select app.isolate('webhook_ledger_spans');

-- How many deliveries of a span there are, for each combination of a webhook or any (the zero id), an event
-- or any (''), and a survey or any (the zero id); no row where there are none.
create table webhook_ledger_counts (
  tenant_id uuid not null,
  webhook_id uuid not null,
  event text not null,
  survey_id uuid not null,
  until_id uuid not null,
  deliveries integer not null,
  primary key (tenant_id, webhook_id, event, survey_id, until_id)
);
create index webhook_ledger_counts_none on webhook_ledger_counts (tenant_id) where deliveries = 0;
select app.isolate('webhook_ledger_counts');

-- Deliveries below the seal that came late (1) or were removed (-1) and are in no count yet. Only ever
-- appended by writers, so that none waits for another.
create table webhook_ledger_changes (
  tenant_id uuid not null,
  delivery_id uuid not null,
  change integer not null check (change in (1, -1)),
  webhook_id uuid not null,
  event text not null,
  survey_id uuid,
  created_at timestamptz not null,
  primary key (tenant_id, delivery_id, change)
);
select app.isolate('webhook_ledger_changes', 'select, insert, delete');

-- Dead letters are counted and found under any filter without their rows. None of these columns ever changes,
-- and the index is partial: neither staging nor a delivery pays for it.
drop index webhook_deliveries_dead;
create index webhook_deliveries_dead on webhook_deliveries (tenant_id, id) include (webhook_id, event, survey_id, created_at) where dead_lettered;
