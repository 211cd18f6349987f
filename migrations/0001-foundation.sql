-- Roles. The application logs in as earshot_app, which owns nothing and can read nothing. Each
-- transaction becomes earshot_tenant for one tenant, or earshot_system for rows without a tenant.
do $$
declare
  name text;
begin
  foreach name in array array['earshot_tenant', 'earshot_system', 'earshot_app'] loop
    begin
      execute format('create role %I login noinherit', name);
    exception when duplicate_object or unique_violation then
      null;
    end;
  end loop;
  -- Roles belong to the server, so the migration of another database may have granted them already.
  -- Since PostgreSQL 16 the maker of a role administers it, but needs a grant to become it.
  if current_setting('server_version_num')::int >= 160000 then
    if not pg_has_role('earshot_app', 'earshot_tenant', 'set') then
      execute 'grant earshot_tenant, earshot_system to earshot_app with inherit false, set true';
    end if;
    if not pg_has_role(current_user, 'earshot_app', 'set') then
      execute format('grant earshot_app to %I with inherit false, set true', current_user);
    end if;
  else
    if not pg_has_role('earshot_app', 'earshot_tenant', 'member') then
      grant earshot_tenant, earshot_system to earshot_app;
    end if;
    if not pg_has_role(current_user, 'earshot_app', 'member') then
      execute format('grant earshot_app to %I', current_user);
    end if;
  end if;
end
$$;

create schema if not exists app;
grant usage on schema app to earshot_app, earshot_tenant, earshot_system;

-- Begins every transaction. On Citus only SET by EXECUTE reaches the shards; elsewhere set_config
-- costs a tenth of it.
create function app.enter(role text, tenant uuid) returns void
language plpgsql as $$
declare
  done text;
begin
  if current_setting('citus.propagate_set_commands', true) is null then
    done := set_config('app.tenant_id', coalesce(tenant::text, ''), true);
    done := set_config('role', role, true);
    return;
  end if;
  perform set_config('citus.propagate_set_commands', 'local', true);
  if tenant is not null then
    execute format('set local app.tenant_id = %L', tenant);
  end if;
  perform set_config('role', role, true);
end
$$;

-- The same for a transaction that shares a connection or a commit with others: it waits for a lock
-- no longer than `patience`.
create function app.enter(role text, tenant uuid, patience text) returns void
language plpgsql as $$
declare
  done text;
begin
  if current_setting('citus.propagate_set_commands', true) is null then
    done := set_config('lock_timeout', patience, true);
    done := set_config('app.tenant_id', coalesce(tenant::text, ''), true);
    done := set_config('role', role, true);
    return;
  end if;
  perform app.enter(role, tenant);
  execute format('set local lock_timeout = %L', patience);
end
$$;

-- On Citus, distributes the tables that app.isolate() has isolated and that are still local: each
-- by tenant_id beside `workspaces`, targets of foreign keys first. `directory` stays on the
-- coordinator, so that it finds a tenant, and registers identifiers, while the node of another
-- tenant is away. The function also takes over the rows of a restored database. Without Citus it
-- does nothing. docs/scaling.md, "6. Citus: many machines".
create function app.distribute() returns void
language plpgsql as $$
declare
  target regclass;
  moved regclass[] := '{}';
begin
  if to_regproc('create_distributed_table') is null then
    return;
  end if;
  -- One connection to each node: roles, policies and foreign keys change in one order there.
  set local citus.multi_shard_modify_mode = 'sequential';
  loop
    execute $next$
      select c.oid::regclass from pg_class c
      join pg_policy p on p.polrelid = c.oid and p.polname = 'tenant'
      where c.relkind = 'r' and not exists (
          select from pg_dist_partition d where d.logicalrelid = c.oid)
        and not relation_is_a_known_shard(c.oid)
        and not exists (
          select from pg_constraint f
          where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid
            and not exists (
              select from pg_dist_partition d where d.logicalrelid = f.confrelid))
      order by c.relname <> 'directory', c.relname <> 'workspaces', c.relname
      limit 1
    $next$ into target;
    exit when target is null;
    if target = 'directory'::regclass then
      perform citus_add_local_table_to_metadata(target);
      continue;
    end if;
    -- An owner who is no superuser would copy no rows under a forced policy.
    execute format('alter table %s no force row level security', target);
    perform create_distributed_table(target, 'tenant_id',
      colocate_with => case when target = 'workspaces'::regclass then 'none' else 'workspaces' end);
    execute format('alter table %s force row level security', target);
    moved := moved || target;
  end loop;
  -- Citus copied the rows, and the coordinator still has the old ones, which no statement sees.
  foreach target in array moved loop
    perform truncate_local_data_after_distributing_table(target);
  end loop;
end
$$;

-- Isolates a table with a tenant, and distributes it at once. On Citus a table must be isolated
-- before it gets a foreign key. One plain equality merges with the statement's own `tenant_id = …`;
-- from two conditions the planner would conclude that a tenant has one row. nullif, because a
-- setting that was once set locally reads '' afterwards.
create function app.isolate(
  target regclass, privileges text default 'select, insert, update, delete') returns void
language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format(
    'create policy tenant on %s to earshot_tenant
       using (tenant_id = nullif(current_setting(''app.tenant_id'', true), '''')::uuid)
       with check (tenant_id = nullif(current_setting(''app.tenant_id'', true), '''')::uuid)',
    target);
  execute format('grant %s on %s to earshot_tenant', privileges, target);
  perform app.distribute();
end
$$;

-- Identifier -> tenant: the only table that finds the tenant of a public identifier. A person has
-- memberships in several workspaces, and several workspaces may have the same picture.
create table directory (
  kind text not null,
  key text not null,
  tenant_id uuid not null,
  primary key (kind, key, tenant_id)
);
create unique index directory_one_owner on directory (kind, key)
  where kind not in ('membership', 'asset');
select app.isolate('directory', 'select, insert, delete');
create policy lookup on directory for select to earshot_system using (true);
grant select on directory to earshot_system;

-- The tenants. This file makes the table, because on Citus the other tables are laid beside it.
create table workspaces (
  tenant_id uuid primary key,
  name text not null,
  timezone text not null,
  branding jsonb not null,
  -- Websites that may show the workspace's surveys in a frame. None means every website.
  embed_origins text[] not null default '{}',
  ip_allowlist text[] not null,
  retention jsonb not null,
  quiet_hours jsonb,
  -- Working hours of alerts. Null: all hours.
  business_hours jsonb,
  contact_frequency jsonb,
  remember_recipients boolean not null default true,
  -- Whether texts may go to the language model of the server.
  ai jsonb not null default '{"enabled": false}',
  -- True from the sign-up by an unproven account until its mailbox is proved.
  unproven boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
select app.isolate('workspaces', 'select, insert, update');
-- Sign-in lists the names of a person's workspaces. Retention reads each workspace's periods.
create policy names on workspaces for select to earshot_system using (true);
grant select (tenant_id, name, retention) on workspaces to earshot_system;

-- The effect and the answer of each Idempotency-Key. The transaction of the effect sets `executed`.
create table idempotency_keys (
  tenant_id uuid not null,
  -- The contacts in an answer are indexed under this id.
  id uuid not null,
  principal text not null,
  route text not null,
  key text not null,
  request_hash text not null,
  state text not null check (state in ('in_flight', 'executed', 'answered')),
  status integer,
  body text,
  lease_until timestamptz not null,
  created_at timestamptz not null,
  primary key (tenant_id, principal, route, key)
);
create index idempotency_keys_age on idempotency_keys (tenant_id, created_at);
create index idempotency_keys_by_id on idempotency_keys (tenant_id, id);
select app.isolate('idempotency_keys');
create policy sweep on idempotency_keys for select to earshot_system using (true);
grant select (tenant_id, created_at) on idempotency_keys to earshot_system;

-- Elects the process that runs a sweep.
create table sweeps (
  name text primary key,
  next_at timestamptz not null,
  lease_until timestamptz,
  lease_token uuid,
  last_finished_at timestamptz,
  last_error text
);
grant select, insert, update on sweeps to earshot_system;

-- Counters of rate-limiter-flexible. Keys are hashes or ids, never addresses in the clear.
create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limits_expiry on rate_limits (expire);
grant select, insert, update, delete on rate_limits to earshot_app, earshot_system;

-- For streams: that a thing was created, updated or deleted, with its id alone. Rows are written
-- only for workspaces that somebody watches, and stay for ten minutes.
create table changes (
  tenant_id uuid not null,
  -- UUIDv7, the order of the stream.
  id uuid not null,
  topic text not null,
  type text not null check (type in ('created', 'updated', 'deleted')),
  object_id text not null,
  survey_id text,
  -- The only member who may know of it, besides those with the permission. Neither: everybody.
  user_id uuid,
  permission text,
  at timestamptz not null,
  primary key (tenant_id, id)
);
select app.isolate('changes');
create policy followed on changes for select to earshot_system using (true);
grant select (tenant_id, id) on changes to earshot_system;

-- The workspaces with a stream now or in the last ten minutes.
create table watched_workspaces (
  tenant_id uuid primary key,
  since timestamptz not null,
  until timestamptz not null
);
select app.isolate('watched_workspaces');
create policy watched on watched_workspaces for select to earshot_system using (true);
grant select (tenant_id, until) on watched_workspaces to earshot_system;
