-- A person's request about their data. Kept as the record that answers for it, without the person.
create table privacy_requests (
  tenant_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('access', 'erasure', 'portability')),
  status text not null check (status in (
    'searching', 'ready', 'running', 'completed', 'cancelled', 'failed'
  )),
  dry_run boolean not null,
  -- Who asks, why, and what was found. Sealed, and removed when the request ends.
  sealed text,
  -- Store -> rows: found, and erased so far.
  counts jsonb not null,
  erased jsonb not null,
  certificate jsonb,
  due_at timestamptz not null,
  created_at timestamptz not null,
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
select app.isolate('privacy_requests', 'select, insert, update');
create policy due on privacy_requests for select to earshot_system using (true);
grant select (tenant_id, id, next_at) on privacy_requests to earshot_system;

-- The archive of an access request: a ZIP in sealed parts, for every API process to serve.
create table privacy_archives (
  tenant_id uuid not null,
  -- The request.
  id uuid not null,
  part integer not null,
  sealed text not null,
  -- Whose it is, so that an erasure finds it: keyed hashes, and responses.
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

-- Keyed hashes of the addresses and numbers that people typed into a text, and the text's row. An
-- empty hash marks a text with too many.
create table typed_contacts (
  tenant_id uuid not null,
  hash text not null,
  place text not null check (place in ('responses')),
  row_id uuid not null,
  primary key (tenant_id, hash, place, row_id)
);
create index typed_contacts_of_row on typed_contacts (tenant_id, row_id)
  where row_id >= '00000000-0000-0000-0000-000000000000';
select app.isolate('typed_contacts', 'select, insert, delete');

-- How far the texts that are older than the index are in it.
create table typed_contact_scans (
  tenant_id uuid not null,
  place text not null check (place in ('responses')),
  -- Rows with a lower id are older than the index.
  until_id uuid not null,
  -- The last row that was read.
  cursor uuid,
  finished_at timestamptz,
  primary key (tenant_id, place)
);
select app.isolate('typed_contact_scans', 'select, insert, update');
create policy due on typed_contact_scans for select to earshot_system using (true);
grant select (tenant_id, place, finished_at) on typed_contact_scans to earshot_system;

-- When the person of a response was erased. Its score is still counted.
alter table responses add column erased_at timestamptz;

-- Erasure and access find a person's conversations by address and by response.
create index conversations_of_address on conversations (address_hash, tenant_id)
  where address_hash > '';
create index conversations_of_response on conversations (tenant_id, response_id)
  where response_id is not null;
create index conversation_turns_of_conversation on conversation_turns (tenant_id, conversation_id)
  where conversation_id is not null;

-- The planner's statistics would keep samples of what people wrote. Citus keeps statistics of the
-- shards, and takes the statement only there and outside of a migration's transaction: whoever runs
-- a cluster calls this once (docs/scaling.md, "From empty machines").
create function app.keep_no_samples() returns void
language plpgsql as $$
declare
  target text;
  columns text[];
  name text;
begin
  for target, columns in values
    ('responses', '{answers,text,custom_data,notes,tags}'::text[]),
    ('events', '{data}'), ('webhook_attempts', '{response_excerpt}'),
    ('idempotency_keys', '{body,key}'), ('outgoing_emails', '{sealed}'),
    ('member_invitations', '{email}'), ('sends', '{recipient,masked}'),
    ('conversations', '{sealed,masked}'), ('conversation_turns', '{reply}'),
    ('suppressions', '{masked}'), ('suppression_lifts', '{masked,evidence}'),
    ('privacy_requests', '{sealed}'), ('privacy_archives', '{sealed}')
  loop
    foreach name in array columns loop
      if to_regproc('create_distributed_table') is null then
        execute format('alter table %I alter %I set statistics 0', target, name);
      else
        perform run_command_on_shards(
          target::regclass, format('alter table %%s alter %I set statistics 0', name));
      end if;
    end loop;
  end loop;
end
$$;
revoke all on function app.keep_no_samples() from public;

do $$
begin
  if to_regproc('create_distributed_table') is null then
    perform app.keep_no_samples();
  end if;
end
$$;

-- Samples from before. Only a superuser may remove them; docs/privacy.md says what others do.
do $$
begin
  delete from pg_statistic s using pg_attribute a
  where s.starelid = a.attrelid and s.staattnum = a.attnum and a.attstattarget = 0
    and a.attrelid in (select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = current_schema() and c.relkind = 'r');
exception when insufficient_privilege then
  null;
end
$$;
