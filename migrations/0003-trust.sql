-- The key under which a workspace hashes addresses: the same person is recognised again, and no
-- reader of the hashes can try addresses against them. `npm run reseal` seals it anew when
-- SECRETS_KEY changes.
create table address_keys (
  tenant_id uuid primary key,
  sealed text not null,
  created_at timestamptz not null
);
select app.isolate('address_keys', 'select, insert');
grant update (sealed) on address_keys to earshot_tenant;

-- The log of changes and of their actors. An entry is inserted in the transaction of its change and
-- never changed: the grants allow no update and no delete. Its place in the chain is in
-- audit_seals.
create table audit_entries (
  tenant_id uuid not null,
  -- A UUIDv7 of `at`, so that a period is a range of ids.
  id uuid not null,
  -- As precise as an entry shows it, so that no part of it is outside the hash.
  at timestamptz(3) not null,
  actor_type text not null
    check (actor_type in ('user', 'api_key', 'system', 'provider', 'anonymous')),
  -- Ids as people see them, such as usr_…
  actor_id text,
  -- <noun>.<verb>
  action text not null,
  target_type text,
  target_id text,
  outcome text not null check (outcome in ('ok', 'refused', 'failed')),
  ip text,
  request_id text,
  changes jsonb not null,
  -- A separate column, because under row level security a call of split_part cannot use an index.
  noun text generated always as (split_part(action, '.', 1)) stored,
  primary key (tenant_id, id)
);
-- Partial, so that the planner offers an index only to a statement with the same condition.
create index audit_entries_actor on audit_entries (tenant_id, actor_id, id) where actor_id >= '';
create index audit_entries_target on audit_entries (tenant_id, target_id, id)
  where target_id >= '';
create index audit_entries_action on audit_entries (tenant_id, action, id) where action >= '';
create index audit_entries_noun on audit_entries (tenant_id, noun, id) where noun >= '';
create index audit_entries_outcome on audit_entries (tenant_id, outcome, id)
  where outcome <> 'ok';
create index audit_entries_at on audit_entries (tenant_id, at) where at <= 'infinity';
select app.isolate('audit_entries', 'select, insert');

-- Entries that are still to be sealed. Sealing deletes their rows, so that two sealers never take
-- the same entry.
create table audit_waiting (
  tenant_id uuid not null,
  id uuid not null,
  primary key (tenant_id, id)
);
select app.isolate('audit_waiting', 'select, insert, delete');
create policy sweep on audit_waiting for select to earshot_system using (true);
grant select (tenant_id) on audit_waiting to earshot_system;

-- The chain. Its key gives each number once, so that two sealers can never fork it.
create table audit_seals (
  tenant_id uuid not null,
  seq bigint not null,
  entry_id uuid not null,
  previous_hash text not null,
  hash text not null,
  primary key (tenant_id, seq),
  -- It begins with the id, because entries of a page look up their seals.
  unique (entry_id, tenant_id)
);
select app.isolate('audit_seals', 'select, insert');

-- A person's request about their data. The finished row is the record of it, without the person.
create table privacy_requests (
  tenant_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('access', 'erasure', 'portability')),
  -- cleaning: an erasure waits for export files that are being removed.
  status text not null check (status in (
    'searching', 'ready', 'running', 'cleaning', 'completed', 'cancelled', 'failed'
  )),
  dry_run boolean not null,
  -- The asking person and the reason. Sealed, and removed when the request ends.
  sealed text,
  -- Store -> rows: found, and erased so far.
  counts jsonb not null,
  erased jsonb not null,
  certificate jsonb,
  due_at timestamptz not null,
  created_at timestamptz not null,
  -- When an erasure had erased its last row, or gave up. An earlier reader may still hold the
  -- person.
  erased_at timestamptz,
  completed_at timestamptz,
  -- The next step. A claim moves it to the end of its lease. Null at the end.
  next_at timestamptz,
  lease_token uuid,
  -- Failures since the last step that succeeded.
  failures integer not null,
  primary key (tenant_id, id)
);
create index privacy_requests_due on privacy_requests (tenant_id, next_at)
  where next_at is not null;
create index privacy_requests_erased on privacy_requests (tenant_id, erased_at)
  where erased_at is not null;
select app.isolate('privacy_requests', 'select, insert, update');
create policy due on privacy_requests for select to earshot_system using (true);
grant select (tenant_id, id, next_at) on privacy_requests to earshot_system;

-- The findings of a data protection request, in sealed pieces of bounded size. An erasure deletes
-- each piece in the transaction that erases its rows.
create table privacy_found (
  tenant_id uuid not null,
  request_id uuid not null,
  id uuid not null,
  -- A store and its table, or a list of the person's ids.
  place text not null,
  sealed text not null,
  primary key (tenant_id, request_id, id)
);
select app.isolate('privacy_found');

-- The archive of an access request: a ZIP in sealed parts, for every API process to serve.
create table privacy_archives (
  tenant_id uuid not null,
  -- The request.
  id uuid not null,
  part integer not null,
  sealed text not null,
  -- The person, so that an erasure finds the archive: keyed hashes, and responses.
  hashes text[] not null,
  response_ids uuid[] not null,
  expires_at timestamptz not null,
  primary key (tenant_id, id, part)
);
create index privacy_archives_expiry on privacy_archives (tenant_id, expires_at)
  where expires_at >= '-infinity';
select app.isolate('privacy_archives', 'select, insert, delete');
create policy age on privacy_archives for select to earshot_system using (true);
grant select (tenant_id, expires_at) on privacy_archives to earshot_system;

-- Keyed hashes of the addresses and numbers that people typed into a text, and the text's row. A
-- report shows such texts as names of its groups. An empty hash marks a text with too many.
create table typed_contacts (
  tenant_id uuid not null,
  hash text not null,
  place text not null check (place in ('responses', 'idempotency_keys', 'report_runs')),
  row_id uuid not null,
  primary key (tenant_id, hash, place, row_id)
);
create index typed_contacts_of_row on typed_contacts (tenant_id, row_id)
  where row_id >= '00000000-0000-0000-0000-000000000000';
select app.isolate('typed_contacts', 'select, insert, delete');

