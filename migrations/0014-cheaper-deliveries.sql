-- Statistics of tables that change all the time cost a tenth of PostgreSQL's work and tell the planner little that is new:
-- they are gathered once as much has changed as there is, or half of it, instead of a tenth.
alter table webhook_queue set (autovacuum_analyze_scale_factor = 1);
alter table webhook_attempts set (autovacuum_analyze_scale_factor = 0.5);
alter table webhook_deliveries set (autovacuum_analyze_scale_factor = 0.5);

-- As app.enter(role, tenant), for who shares a connection or a commit with others: it waits for a lock no longer than
-- `patience`. By SET, because that alone reaches the shards.
create function app.enter(role text, tenant uuid, patience text) returns void
language plpgsql as $$
begin
  perform app.enter(role, tenant);
  execute format('set local lock_timeout = %L', patience);
end
$$;
