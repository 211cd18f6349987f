-- Notifications go to Slack and Teams too, pass a filter, and may wait for a digest.
alter table notification_subscriptions
  drop constraint notification_subscriptions_channel_check;
alter table notification_subscriptions
  add constraint notification_subscriptions_channel_check
  check (channel in ('email', 'console', 'slack', 'teams'));
alter table notification_subscriptions
  -- The sealed URL of an incoming webhook, and its host for people.
  add column target text,
  add column target_host text,
  add column filter jsonb,
  add column digest text not null default 'at_once',
  add column language text not null default 'en',
  add column enabled boolean not null default true,
  add column disabled_reason text,
  add column failing_since timestamptz,
  -- The provider asked for a rest until then.
  add column blocked_until timestamptz,
  -- A claim moves it to the end of its lease.
  add column next_digest_at timestamptz,
  add column digest_attempts integer not null default 0,
  add column lease_token uuid;
create index notification_subscriptions_digest
  on notification_subscriptions (tenant_id, next_digest_at) where next_digest_at is not null;
create policy due on notification_subscriptions for select to earshot_system using (true);
grant select (tenant_id, id, next_digest_at) on notification_subscriptions to earshot_system;

alter table notifications drop constraint notifications_channel_check;
alter table notifications
  add constraint notifications_channel_check
  check (channel in ('email', 'console', 'slack', 'teams'));
alter table notifications
  -- Of an anonymous survey: told by its day, without words.
  add column withheld boolean not null default false,
  add column attempts integer not null default 0,
  add column lease_token uuid,
  -- Of a settled row: its channel never took it.
  add column given_up boolean not null default false;
-- A row that waits for a digest has no next_attempt_at.
create index notifications_for_digest on notifications (tenant_id, subscription_id)
  where status = 'pending' and next_attempt_at is null;
