-- One key for each workspace, under which addresses are hashed: the same person is recognised again, and nobody
-- who reads the hashes can try addresses against them.
create table address_keys (
  tenant_id uuid primary key,
  sealed text not null,
  created_at timestamptz not null
);
select app.isolate('address_keys', 'select, insert');

-- One call of `invite`.
create table invitations (
  tenant_id uuid not null,
  id uuid not null,
  survey_id uuid not null,
  channel text not null check (channel in ('email', 'sms', 'voice')),
  template_id uuid,
  send_at timestamptz not null,
  -- [{after_hours, template_id}], in order.
  reminders jsonb not null,
  accepted integer not null,
  deferred integer not null,
  -- Reason -> how many were not taken.
  skipped jsonb not null,
  created_by text,
  created_at timestamptz not null,
  cancelled_at timestamptz,
  primary key (tenant_id, id)
);
select app.isolate('invitations', 'select, insert, update, delete');
create policy age on invitations for select to earshot_system using (true);
grant select (tenant_id, id) on invitations to earshot_system;

-- One message to one person. The row is the job: next_attempt_at is null once it is settled. A claim sets the lease columns and
-- the status, which no index knows, so that it is a HOT update.
create table sends (
  tenant_id uuid not null,
  id uuid not null,
  invitation_id uuid not null,
  survey_id uuid not null,
  channel text not null check (channel in ('email', 'sms', 'voice')),
  -- 0 is the invitation, 1 its first reminder.
  reminder integer not null,
  -- The first message of the same invitation to the same person.
  first_send_id uuid not null,
  status text not null check (status in ('queued', 'calling', 'accepted', 'delivered', 'bounced', 'complained', 'failed', 'opened', 'clicked', 'started', 'completed', 'skipped', 'cancelled')),
  -- Why it failed or was skipped: a code, never a provider's words.
  reason text,
  address_hash text not null,
  masked text not null,
  -- Address, name, time zone and custom data. Erased with the person.
  recipient text,
  language text,
  agent_id uuid,
  next_attempt_at timestamptz,
  attempts integer not null,
  lease_until timestamptz,
  lease_token uuid,
  -- Since when a provider may have the message without our knowing.
  calling_at timestamptz,
  provider_id text,
  response_id uuid,
  created_at timestamptz not null,
  accepted_at timestamptz,
  delivered_at timestamptz,
  bounced_at timestamptz,
  complained_at timestamptz,
  opened_at timestamptz,
  clicked_at timestamptz,
  started_at timestamptz,
  completed_at timestamptz,
  ended_at timestamptz,
  primary key (tenant_id, id)
) with (fillfactor = 60);
create index sends_due on sends (tenant_id, channel, next_attempt_at) where next_attempt_at is not null;
create index sends_of_invitation on sends (tenant_id, invitation_id, id);
create index sends_of_survey on sends (tenant_id, survey_id, id);
create index sends_of_person on sends (tenant_id, address_hash, channel, created_at);
create index sends_of_chain on sends (tenant_id, first_send_id) where reminder > 0;
create index sends_by_provider on sends (tenant_id, provider_id) where provider_id is not null;
create index sends_of_response on sends (tenant_id, response_id) where response_id is not null;
select app.isolate('sends');
create policy due on sends for select to earshot_system using (true);
grant select (tenant_id, id, channel, status, next_attempt_at, lease_until, created_at) on sends to earshot_system;

-- A provider took an invitation: public survey id, channel and time, and nothing about whom it went to.
create table survey_deliveries (
  tenant_id uuid not null,
  id uuid not null,
  survey_id uuid not null,
  channel text not null check (channel in ('email', 'sms', 'voice')),
  -- Names the cause, such as `send:<uuid>`: the same cause never makes a second record.
  source text not null,
  accepted_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, source)
);
create index survey_deliveries_of_survey on survey_deliveries (tenant_id, survey_id, id);
select app.isolate('survey_deliveries', 'select, insert, update, delete');
create policy age on survey_deliveries for select to earshot_system using (true);
grant select (tenant_id, id) on survey_deliveries to earshot_system;

-- Messages of providers that had their effect: a repeat has none.
create table provider_messages (
  tenant_id uuid not null,
  id uuid not null,
  provider text not null,
  message_id text not null,
  received_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, provider, message_id)
);
select app.isolate('provider_messages', 'select, insert, update, delete');
create policy age on provider_messages for select to earshot_system using (true);
grant select (tenant_id, id) on provider_messages to earshot_system;

create table notification_subscriptions (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  event text not null,
  channel text not null check (channel in ('email', 'console')),
  survey_ids uuid[] not null,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
create index notification_subscriptions_of_user on notification_subscriptions (tenant_id, user_id, id);
create index notification_subscriptions_of_event on notification_subscriptions (tenant_id, event);
select app.isolate('notification_subscriptions');

create table notifications (
  tenant_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  user_id uuid not null,
  channel text not null check (channel in ('email', 'console')),
  event_id uuid not null,
  event text not null,
  survey_id uuid,
  status text not null check (status in ('pending', 'sent')),
  next_attempt_at timestamptz,
  created_at timestamptz not null,
  sent_at timestamptz,
  read_at timestamptz,
  primary key (tenant_id, id)
);
create unique index notifications_once on notifications (tenant_id, subscription_id, event_id);
create index notifications_of_user on notifications (tenant_id, user_id, id);
create index notifications_due on notifications (tenant_id, next_attempt_at) where next_attempt_at is not null;
select app.isolate('notifications');
create policy due on notifications for select to earshot_system using (true);
grant select (tenant_id, id, next_attempt_at, created_at) on notifications to earshot_system;
