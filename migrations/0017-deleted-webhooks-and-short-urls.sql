-- Deliveries that their webhook's deletion ended: failed, and neither dead letters nor unfinished. The column never changes while a
-- row is delivered, and the index is partial: neither staging nor a delivery pays for it.
alter table webhook_deliveries add column abandoned boolean not null default false;
alter table webhook_deliveries no force row level security;
update webhook_deliveries set abandoned = true, dead_lettered = false where dead_lettered and last_error = 'webhook_deleted';
alter table webhook_deliveries force row level security;
create index webhook_deliveries_abandoned on webhook_deliveries (tenant_id, id) include (webhook_id, event, survey_id, created_at) where abandoned;

-- Whether the query of a visit goes on to the target.
alter table short_urls add column forward_query boolean not null default false;
