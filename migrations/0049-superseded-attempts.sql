-- An attempt in flight whose event was erased or whose webhook was deleted. Its answer is not kept.
alter table webhook_queue add column superseded boolean not null default false;
-- Whether the last attempt in the log was such a one.
alter table webhook_deliveries add column superseded boolean not null default false;
alter table webhook_attempts add column superseded boolean not null default false;
