-- Many machines: where Citus is installed, every table with a tenant is distributed by its tenant.
-- Elsewhere these functions do nothing. docs/scaling.md, "6. Citus: many machines".

-- Distributes what app.isolate() has isolated and is still local: each table by tenant_id beside
-- workspaces, those that foreign keys point to first. `directory` stays on the coordinator, so that
-- a tenant is found, and registers identifiers, while another tenant's node is away. It also takes
-- over the rows of a restored database.
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
  -- The rows were copied; what the coordinator still keeps of them is in nobody's sight.
  foreach target in array moved loop
    perform truncate_local_data_after_distributing_table(target);
  end loop;
end
$$;

-- Isolates a table with a tenant, as before, and distributes it at once. On Citus a table must be
-- isolated before it gets a foreign key.
create or replace function app.isolate(
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

select app.distribute();
