create table export_templates (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  source text not null,
  -- Survey, columns, filter, format, options and part size.
  definition jsonb not null,
  destination text not null check (destination in ('download', 'email', 's3')),
  -- Recipients, or the bucket with its credentials. Sealed.
  sealed text not null,
  -- Permissions of its author that show more of a row.
  shows text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
select app.isolate('export_templates');

create table export_schedules (
  tenant_id uuid not null,
  id uuid not null,
  template_id uuid not null,
  cron text not null,
  timezone text not null,
  enabled boolean not null,
  -- A schedule acts with the present permissions of its maker (usr_… or key_…). Without one it
  -- pauses until a member takes it over.
  maker text,
  paused_reason text check (paused_reason in ('maker_left', 'maker_not_permitted')),
  next_run_at timestamptz,
  last_run_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
create index export_schedules_due on export_schedules (tenant_id, next_run_at)
  where next_run_at is not null;
select app.isolate('export_schedules');
create policy due on export_schedules for select to earshot_system using (true);
grant select (tenant_id, id, next_run_at) on export_schedules to earshot_system;

-- A run never changes the data that it exports.
create table export_runs (
  tenant_id uuid not null,
  id uuid not null,
  template_id uuid,
  -- The schedule and its time, so that a time runs once.
  occasion text,
  source text not null,
  format text not null,
  definition jsonb not null,
  columns jsonb not null,
  shows text[] not null,
  -- The permissions that it demands of its readers.
  demands text[] not null,
  destination text not null,
  sealed text not null,
  status text not null check (status in (
    'queued', 'building', 'manifesting', 'delivering', 'completed', 'cancelling', 'cancelled',
    'failed', 'expired', 'cleaning', 'cleaned'
  )),
  phase_started_at timestamptz not null,
  snapshot_at timestamptz not null,
  total_rows integer not null,
  total_parts integer not null,
  rows integer not null,
  parts integer not null,
  created_by text,
  -- It acts as this member or API key. A run of a schedule, which no one ordered, has one too.
  maker text,
  created_at timestamptz not null,
  -- From then on its files may be on the server of a tenant.
  delivery_began_at timestamptz,
  -- A delivery that an erasure interrupts begins anew in another folder.
  delivery_round integer not null,
  completed_at timestamptz,
  expires_at timestamptz,
  -- When one of its people was erased.
  erased_at timestamptz,
  error jsonb,
  cleanup jsonb,
  -- When a look into the store found that it holds none of its files any more.
  ended_at timestamptz,
  -- The next step. A claim moves it to the end of its lease.
  next_at timestamptz,
  lease_token uuid,
  failures integer not null,
  primary key (tenant_id, id)
);
create index export_runs_due on export_runs (tenant_id, next_at) where next_at is not null;
create unique index export_runs_of_occasion on export_runs (tenant_id, occasion)
  where occasion is not null;
select app.isolate('export_runs');
create policy due on export_runs for select to earshot_system using (true);
grant select (tenant_id, id, next_at, status, destination) on export_runs to earshot_system;

-- The snapshot of a run: the rows that were chosen when it was accepted, in slices. They also show
-- which runs and parts hold a row, without reading a file.
create table export_slices (
  tenant_id uuid not null,
  run_id uuid not null,
  part integer not null,
  n integer not null,
  ids uuid[] not null,
  members text[],
  first_id uuid not null,
  last_id uuid not null,
  primary key (tenant_id, run_id, part, n)
);
select app.isolate('export_slices');

-- A part counts once its row is committed.
create table export_parts (
  tenant_id uuid not null,
  run_id uuid not null,
  n integer not null,
  rows integer not null,
  -- Rows of the snapshot that it holds.
  held integer not null,
  bytes bigint not null,
  sha256 text not null,
  object_key text not null,
  delivered_at timestamptz,
  primary key (tenant_id, run_id, n)
);
select app.isolate('export_parts');
