-- Statistics of tables that change all the time cost a tenth of PostgreSQL's work and tell the planner nothing new: the
-- queue and the attempts are only looked up by their keys, and the ledger's proportions change slowly.
alter table webhook_queue set (autovacuum_analyze_threshold = 1000000, autovacuum_analyze_scale_factor = 1);
alter table webhook_attempts set (autovacuum_analyze_threshold = 1000000, autovacuum_analyze_scale_factor = 0.5);
alter table webhook_deliveries set (autovacuum_analyze_scale_factor = 0.5);

-- As app.enter(role, tenant), for who shares a connection or a commit with others: it waits for a lock no longer than `patience`.
create function app.enter(role text, tenant uuid, patience text) returns void
language plpgsql as $$
begin
  perform set_config('citus.propagate_set_commands', 'local', true);
  perform set_config('lock_timeout', patience, true);
  if tenant is not null then
    execute format('set local app.tenant_id = %L', tenant);
  end if;
  perform set_config('role', role, true);
end
$$;
