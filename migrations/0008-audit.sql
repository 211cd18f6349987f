-- Who did what. An entry is inserted in the transaction of its change, and never changed: the grants
-- know no update and no delete. Its place in the chain stands beside it, in audit_seals.
create table audit_entries (
  tenant_id uuid not null,
  -- A UUIDv7 of `at`, so that a period is a range of ids.
  id uuid not null,
  at timestamptz not null,
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
  primary key (tenant_id, id)
);
-- Partial, so that only a statement that says the condition is offered it.
create index audit_entries_actor on audit_entries (tenant_id, actor_id, id) where actor_id >= '';
create index audit_entries_target on audit_entries (tenant_id, target_id, id)
  where target_id >= '';
create index audit_entries_action on audit_entries (tenant_id, action, id) where action >= '';
create index audit_entries_noun on audit_entries (tenant_id, split_part(action, '.', 1), id)
  where action >= '';
create index audit_entries_outcome on audit_entries (tenant_id, outcome, id)
  where outcome <> 'ok';
select app.isolate('audit_entries', 'select, insert');

-- Entries that are still to be sealed. Sealing deletes their rows, which also keeps two sealers from
-- one entry.
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
