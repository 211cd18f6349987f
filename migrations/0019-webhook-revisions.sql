-- Names the state of a workspace's webhooks, so that a process that knows them need not read them again for every event. A name is
-- never given twice: a number could be, after a restore or a failover.
create table webhook_revisions (
  tenant_id uuid primary key,
  revision uuid not null
);
select app.isolate('webhook_revisions', 'select, insert, update');
alter table webhooks no force row level security;
insert into webhook_revisions (tenant_id, revision) select distinct on (tenant_id) tenant_id, id from webhooks;
alter table webhooks force row level security;
