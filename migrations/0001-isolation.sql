-- Who may see what. The application logs in as earshot_app, which owns nothing and may read
-- nothing; each transaction becomes earshot_tenant for one tenant, or earshot_system for what has
-- no tenant.
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
  -- Roles belong to the cluster: another database's migration may have granted already. Since
  -- PostgreSQL 16 whoever makes a role administers it, but may become it only by a grant that says
  -- so.
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

-- Isolates a table with a tenant. One plain equality merges with the statement's own `tenant_id = …`;
-- as two conditions the planner believes that a tenant has one row. nullif, because a setting
-- that was once set locally reads '' afterwards.
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
end
$$;

-- Identifier -> tenant: the one place where a public identifier finds its tenant.
create table directory (
  kind text not null,
  key text not null,
  tenant_id uuid not null,
  primary key (kind, key, tenant_id)
);
create unique index directory_one_owner on directory (kind, key) where kind <> 'membership';
select app.isolate('directory', 'select, insert, delete');
create policy lookup on directory for select to earshot_system using (true);
grant select on directory to earshot_system;

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

-- Counters of rate-limiter-flexible; keys are hashes or ids, never addresses in the clear.
create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limits_expiry on rate_limits (expire);
grant select, insert, update, delete on rate_limits to earshot_app, earshot_system;

-- What an Idempotency-Key already did. `executed` is set by the transaction that had the effect.
create table idempotency_keys (
  tenant_id uuid not null,
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
select app.isolate('idempotency_keys');
create policy sweep on idempotency_keys for select to earshot_system using (true);
grant select (tenant_id, created_at) on idempotency_keys to earshot_system;
