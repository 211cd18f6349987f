-- Plans that do not hang on statistics. A prepared statement is planned once, often while its table is empty: then any index
-- that has a column of the condition looks as good as the one that has the whole key, and what is read by it grows with the table.

-- A plain equality is merged with the statement's own `tenant_id = …`. As two conditions PostgreSQL took them for independent,
-- and believed that a tenant has one row.
do $$
declare
  target regclass;
begin
  for target in select polrelid::regclass from pg_policy where polname = 'tenant' loop
    execute format(
      'alter policy tenant on %s
         using (tenant_id = nullif(current_setting(''app.tenant_id'', true), '''')::uuid)
         with check (tenant_id = nullif(current_setting(''app.tenant_id'', true), '''')::uuid)',
      target);
  end loop;
end
$$;

-- The same for tables to come. nullif is there because a setting that was once set locally reads '' afterwards.
create or replace function app.isolate(target regclass, privileges text default 'select, insert, update, delete') returns void
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

-- Where rows are found by their primary key in a hot statement, other indexes are partial, by a condition that every row meets:
-- they are offered only to who says it.
drop index conversations_of_person;
create index conversations_of_person on conversations (tenant_id, number, address_hash, id) where address_hash >= '';
drop index memberships_role;
create index memberships_role on memberships (tenant_id, role_id) where role_id >= '00000000-0000-0000-0000-000000000000';
drop index report_surveys_due;
create index report_surveys_due on report_surveys (tenant_id, next_at) where next_at >= '-infinity';
drop index responses_of_survey, responses_report;
create index responses_of_survey on responses (tenant_id, survey_id, id) where survey_id >= '00000000-0000-0000-0000-000000000000';
create index responses_report on responses (tenant_id, survey_id, recorded_at) include (state, metric, score) where recorded_at >= '-infinity';
drop index roles_name;
create unique index roles_name on roles (tenant_id, lower(name)) where lower(name) >= '';
drop index sessions_end, sessions_user;
create index sessions_end on sessions (tenant_id, valid_until) where valid_until >= '-infinity';
create index sessions_user on sessions (tenant_id, user_id) where user_id >= '00000000-0000-0000-0000-000000000000';
alter table short_urls drop constraint short_urls_tenant_id_slug_key;
create unique index short_urls_slug on short_urls (tenant_id, slug) where slug >= '';
-- A process of the previous version infers the other index of events from its columns, so that one cannot be partial. Of two
-- that look the same PostgreSQL takes the younger.
alter table events drop constraint events_pkey, add primary key (tenant_id, id);

-- Many rows at once are found by an array of their ids. Before PostgreSQL 17 the planner leaves an array out that is not for the
-- first column of an index, so these two keys begin with the id; lists, which go by tenant, say their condition. In the other
-- indexes what is rarer stands before the tenant.
alter table webhook_queue drop constraint webhook_queue_pkey, add primary key (delivery_id, tenant_id);
create index webhook_queue_listed on webhook_queue (tenant_id, delivery_id) where delivery_id >= '00000000-0000-0000-0000-000000000000';
drop index webhook_queue_due;
create index webhook_queue_due on webhook_queue (webhook_id, tenant_id, next_attempt_at);

alter table webhook_deliveries drop constraint webhook_deliveries_pkey, add primary key (id, tenant_id);
create index webhook_deliveries_listed on webhook_deliveries (tenant_id, id) where id >= '00000000-0000-0000-0000-000000000000';
drop index webhook_deliveries_of_event, webhook_deliveries_of_survey, webhook_deliveries_of_webhook, webhook_deliveries_once;
-- Partial, because PostgreSQL 18 may skip through an index whose first column the condition leaves out.
create index webhook_deliveries_of_event on webhook_deliveries (event, tenant_id, id) where event >= '';
create index webhook_deliveries_of_survey on webhook_deliveries (survey_id, tenant_id, id)
  where survey_id >= '00000000-0000-0000-0000-000000000000';
create index webhook_deliveries_of_webhook on webhook_deliveries (webhook_id, tenant_id, id)
  where webhook_id >= '00000000-0000-0000-0000-000000000000';
create unique index webhook_deliveries_once on webhook_deliveries (event_id, webhook_id, backfill_id, tenant_id);

-- Columns and an index of what only processes before the queue wrote; what nobody has adopted yet is due now.
alter table webhook_deliveries no force row level security;
alter table webhook_queue no force row level security;
insert into webhook_queue (tenant_id, delivery_id, webhook_id, event_id, attempts, next_attempt_at, created_at)
select tenant_id, id, webhook_id, event_id, attempts, coalesce(next_attempt_at, now()), created_at from webhook_deliveries
where (not queued or next_attempt_at is not null) and status <> 'delivered' and not dead_lettered and not abandoned
on conflict do nothing;
alter table webhook_deliveries force row level security;
alter table webhook_queue force row level security;
drop index webhook_deliveries_unqueued;
alter table webhook_deliveries drop column queued, drop column next_attempt_at, drop column lease_until, drop column lease_token;

-- What every transaction begins with. SET by EXECUTE reaches the shards of Citus, and costs ten times as much as set_config.
create or replace function app.enter(role text, tenant uuid) returns void
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

create or replace function app.enter(role text, tenant uuid, patience text) returns void
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
