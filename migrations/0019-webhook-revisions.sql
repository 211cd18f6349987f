-- Counts the changes of a workspace's webhooks, so that a process that knows them need not read them again for every event.
create table webhook_revisions (
  tenant_id uuid primary key,
  revision bigint not null
);
select app.isolate('webhook_revisions', 'select, insert, update');
alter table webhooks no force row level security;
insert into webhook_revisions (tenant_id, revision) select distinct tenant_id, 1 from webhooks;
alter table webhooks force row level security;
