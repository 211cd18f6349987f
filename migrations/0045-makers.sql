-- What runs by itself acts as its maker (usr_… or key_…) does at that moment. What was made before
-- has no maker: it pauses until a member takes it over.
alter table export_schedules
  add column maker text,
  add column paused_reason text check (paused_reason in ('maker_left', 'maker_not_permitted'));
alter table reports
  add column maker text,
  add column paused_reason text check (paused_reason in ('maker_left', 'maker_not_permitted'));

-- The permissions that a run demands of its readers.
alter table export_runs add column demands text[];
update export_runs set demands = case
  when source = 'audit' then '{audit.read}'::text[]
  when source = 'webhook_deliveries' then '{integrations.manage}'::text[]
  when source = 'leads' and 'leads.manage' = any(shows) then '{leads.manage}'::text[]
  when source = 'people'
    and ('people.manage' = any(shows) or definition ->> 'filter' like '%"attribute.%')
    then '{people.manage}'::text[]
  else '{}'::text[]
end;
alter table export_runs alter column demands set not null;
