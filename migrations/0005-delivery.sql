-- Events. Every delivery renders its body from here, at each attempt.
create table events (
  tenant_id uuid not null,
  id uuid not null,
  type text not null,
  survey_id uuid,
  -- Names the cause, so that the same cause never makes a second event; "C", so that sources with
  -- the same beginning are a range of the index.
  source text collate "C" not null,
  -- Unredacted JSON as text. Only the sender parses and renders it.
  data text not null,
  -- The alert or the lead that it is about. Its source may begin with their response.
  subject_id uuid,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
-- Partial, so that the planner offers it only to a statement with the same condition. All others
-- find an event by its key.
create unique index events_source on events (tenant_id, source, type) where source >= '';
create index events_of_subject on events (tenant_id, subject_id) where subject_id is not null;
select app.isolate('events');
create policy age on events for select to earshot_system using (true);
grant select (tenant_id, id) on events to earshot_system;

create table webhooks (
  tenant_id uuid not null,
  id uuid not null,
  url text not null,
  description text not null,
  events text[] not null,
  survey_ids uuid[] not null,
  tags text[] not null default '{}',
  -- Sealed JSON of names and values. The names have a column too, so that a list opens nothing.
  headers text,
  header_names text[] not null default '{}',
  include_text boolean not null,
  include_custom_data boolean not null,
  include_answers boolean not null,
  enabled boolean not null,
  disabled_reason text,
  -- Sealed; null for a legacy registration, which is delivered unsigned.
  secret text,
  secret_preview text,
  -- The secret before the last rotation.
  previous_secret text,
  previous_secret_expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_delivered_at timestamptz,
  last_failed_at timestamptz,
  -- Since when every attempt has failed; null after a success.
  failing_since timestamptz,
  -- Of the last failed attempt.
  last_failure_status integer,
  last_failure_error text,
  primary key (tenant_id, id)
);
select app.isolate('webhooks');

-- Names the state of a workspace's webhooks and alert rules, so that a process that knows them need
-- not read them again for every event. No name is given twice. A number could be, after a restore
-- or a failover.
create table webhook_revisions (
  tenant_id uuid primary key,
  revision uuid not null
);
select app.isolate('webhook_revisions', 'select, insert, update');

-- The ledger of deliveries. The job of an unfinished one is in webhook_queue, so the ledger's row
-- changes once an attempt, and touches none of its indexes (HOT). No foreign keys: their checks
-- would lock the hottest rows of the database. The key begins with the id, because many rows at
-- once are found by an array of their ids, and before PostgreSQL 17 the planner uses an array only
-- for the first column of an index.
create table webhook_deliveries (
  tenant_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  event text not null,
  survey_id uuid,
  -- The backfill that sent it again; zero for the first sending.
  backfill_id uuid not null default '00000000-0000-0000-0000-000000000000',
  status text not null check (status in ('pending', 'delivered', 'failed')),
  dead_lettered boolean not null default false,
  -- Ended by the deletion of its webhook: failed, neither a dead letter nor unfinished.
  abandoned boolean not null default false,
  -- Whether the last attempt in the log was superseded (webhook_queue).
  superseded boolean not null default false,
  -- Shown by its day: it belongs to an anonymous survey.
  by_day boolean not null default false,
  -- Attempts since it was enqueued or replayed, 0 to 5, and the number of the last one in its log.
  attempts integer not null default 0,
  attempts_logged integer not null default 0,
  last_status_code integer,
  last_error text,
  last_latency_ms integer,
  created_at timestamptz not null,
  delivered_at timestamptz,
  primary key (id, tenant_id)
)
-- Room on the same page for the one new version that most rows get.
with (
  fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0.5);
create index webhook_deliveries_listed on webhook_deliveries (tenant_id, id)
  where id >= '00000000-0000-0000-0000-000000000000';
-- Partial, because PostgreSQL 18 may skip through an index whose first column the condition leaves
-- out.
create index webhook_deliveries_of_event on webhook_deliveries (event, tenant_id, id)
  where event >= '';
create index webhook_deliveries_of_survey on webhook_deliveries (survey_id, tenant_id, id)
  where survey_id >= '00000000-0000-0000-0000-000000000000';
create index webhook_deliveries_of_webhook on webhook_deliveries (webhook_id, tenant_id, id)
  where webhook_id >= '00000000-0000-0000-0000-000000000000';
create index webhook_deliveries_created on webhook_deliveries (tenant_id, created_at)
  where created_at <= 'infinity';
create unique index webhook_deliveries_once
  on webhook_deliveries (event_id, webhook_id, backfill_id, tenant_id);
-- Found and counted under any filter without their rows. None of these columns changes during a
-- delivery, so neither staging nor a delivery pays for the two.
create index webhook_deliveries_dead on webhook_deliveries (tenant_id, id)
  include (webhook_id, event, survey_id, created_at) where dead_lettered;
create index webhook_deliveries_abandoned on webhook_deliveries (tenant_id, id)
  include (webhook_id, event, survey_id, created_at) where abandoned;
select app.isolate('webhook_deliveries');
create policy due on webhook_deliveries for select to earshot_system using (true);
grant select (tenant_id, webhook_id, created_at, status, dead_lettered)
  on webhook_deliveries to earshot_system;

-- The job of each unfinished delivery. The ledger grows, but the queue holds only open work, so the
-- cost of a claim does not depend on the length of the ledger.
create table webhook_queue (
  tenant_id uuid not null,
  delivery_id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  -- Since it was enqueued or replayed, 0 to 4.
  attempts integer not null default 0,
  -- An attempt in flight whose event was erased or whose webhook was deleted. Its answer is not
  -- kept.
  superseded boolean not null default false,
  -- Null while the webhook is disabled.
  next_attempt_at timestamptz,
  lease_until timestamptz,
  lease_token uuid,
  -- When it was enqueued, or last replayed.
  created_at timestamptz not null,
  primary key (delivery_id, tenant_id)
) with (
  fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 1);
create index webhook_queue_listed on webhook_queue (tenant_id, delivery_id)
  where delivery_id >= '00000000-0000-0000-0000-000000000000';
-- The lease is in no index, so the update of a claim touches none.
create index webhook_queue_due on webhook_queue (webhook_id, tenant_id, next_attempt_at);
select app.isolate('webhook_queue');
create policy due on webhook_queue for select to earshot_system using (true);
grant select (tenant_id, webhook_id, next_attempt_at, created_at)
  on webhook_queue to earshot_system;

create table webhook_attempts (
  tenant_id uuid not null,
  delivery_id uuid not null,
  n integer not null,
  at timestamptz not null,
  -- The address that was dialled.
  address text,
  status_code integer,
  latency_ms integer,
  error text,
  response_excerpt text,
  -- JSON of names and values. Only technical values are kept; the others are masked before they get
  -- here.
  response_headers text,
  url text,
  -- JSON as sent, with the webhook's own headers masked. Null if the delivery could not be
  -- prepared.
  request_headers text,
  superseded boolean not null default false,
  -- The signed parts: unix seconds, the header's value, and the hash of the exact bytes.
  timestamp bigint,
  signature text,
  body_sha256 text not null,
  omitted text[] not null,
  primary key (tenant_id, delivery_id, n)
)
-- Statistics of tables that change all the time cost a tenth of PostgreSQL's work: gather them less
-- often.
with (autovacuum_analyze_scale_factor = 0.5);
select app.isolate('webhook_attempts');
create policy age on webhook_attempts for select to earshot_system using (true);
grant select (tenant_id, delivery_id) on webhook_attempts to earshot_system;

-- Receivers for trying webhooks. Deliveries to them are handed over inside the process.
create table test_receivers (
  tenant_id uuid not null,
  id uuid not null,
  -- The status with which it answers.
  answer integer not null check (answer between 200 and 599),
  -- The number of its last request.
  received integer not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (tenant_id, id)
);
create index test_receivers_end on test_receivers (tenant_id, expires_at)
  where expires_at >= '-infinity';
select app.isolate('test_receivers');
create policy sweep on test_receivers for select to earshot_system using (true);
grant select (tenant_id, expires_at) on test_receivers to earshot_system;

-- The last 20 requests of each. `sealed` holds headers and body.
create table test_receiver_requests (
  tenant_id uuid not null,
  id uuid not null,
  receiver_id uuid not null,
  n integer not null,
  at timestamptz not null,
  sealed text not null,
  delivery_id uuid not null,
  attempt integer not null,
  answered integer not null,
  -- Null without a secret.
  verified_voc boolean,
  verified_standard boolean,
  primary key (tenant_id, id)
);
create index test_receiver_requests_of on test_receiver_requests (tenant_id, receiver_id, id);
select app.isolate('test_receiver_requests');

-- Attempts of an hour, by outcome and class of latency (-1: no answer). Each process adds its
-- counts at most once a second. The first write of a new hour removes hours older than eight days.
create table webhook_health (
  tenant_id uuid not null,
  webhook_id uuid not null,
  hour timestamptz not null,
  succeeded boolean not null,
  latency_class smallint not null,
  attempts integer not null,
  primary key (tenant_id, webhook_id, hour, succeeded, latency_class)
);
select app.isolate('webhook_health');

-- Replays and backfills of many rows: resumable, a batch at a time.
create table webhook_jobs (
  tenant_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('replay', 'backfill')),
  -- A replay of delivered events instead of dead letters.
  resends boolean not null default false,
  webhook_id uuid,
  event text,
  survey_id uuid,
  since timestamptz,
  until timestamptz not null,
  -- The last row that was handled.
  cursor uuid,
  lease_until timestamptz,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
select app.isolate('webhook_jobs');
create policy due on webhook_jobs for select to earshot_system using (true);
grant select (tenant_id, id, kind, resends, lease_until, created_at)
  on webhook_jobs to earshot_system;

-- How far the delivery log of a workspace is counted. The row exists once somebody read more rows
-- than are quickly counted.
create table webhook_ledgers (
  tenant_id uuid primary key,
  -- A transaction that writes or removes a delivery with a lower id notes it as a change.
  sealed_id uuid not null,
  -- A transaction number. Once every earlier transaction has ended, all open ones know the seal.
  barrier bigint,
  -- Deliveries with a lower id are counted.
  rolled_id uuid not null,
  next_at timestamptz not null
);
select app.isolate('webhook_ledgers', 'select, insert, update');
create policy due on webhook_ledgers for select to earshot_system using (true);
grant select (tenant_id, next_at) on webhook_ledgers to earshot_system;

-- Deliveries from one id to the next, counted together. A span begins where the one before it ends.
create table webhook_ledger_spans (
  tenant_id uuid not null,
  until_id uuid not null,
  -- No counted delivery was created before the first or after the last of these moments.
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (tenant_id, until_id)
);
select app.isolate('webhook_ledger_spans');

-- How many deliveries a span has, for each combination of a webhook or any (the zero id), an event
-- or any (''), and a survey or any (the zero id). No row means none.
create table webhook_ledger_counts (
  tenant_id uuid not null,
  webhook_id uuid not null,
  event text not null,
  survey_id uuid not null,
  until_id uuid not null,
  deliveries integer not null,
  primary key (tenant_id, webhook_id, event, survey_id, until_id)
);
create index webhook_ledger_counts_none on webhook_ledger_counts (tenant_id) where deliveries = 0;
select app.isolate('webhook_ledger_counts');

-- Deliveries below the seal that came late (1) or were removed (-1) and are in no count yet.
-- Writers only append, so that none waits for another.
create table webhook_ledger_changes (
  tenant_id uuid not null,
  delivery_id uuid not null,
  change integer not null check (change in (1, -1)),
  webhook_id uuid not null,
  event text not null,
  survey_id uuid,
  created_at timestamptz not null,
  primary key (tenant_id, delivery_id, change)
);
select app.isolate('webhook_ledger_changes', 'select, insert, delete');

create table notification_subscriptions (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  event text not null,
  survey_ids uuid[] not null,
  filter jsonb,
  channel text not null check (channel in ('email', 'console', 'slack', 'teams')),
  -- The sealed URL of an incoming webhook, and its host for people.
  target text,
  target_host text,
  language text not null default 'en',
  enabled boolean not null default true,
  disabled_reason text,
  failing_since timestamptz,
  -- The provider asked for a rest until then.
  blocked_until timestamptz,
  digest text not null default 'at_once',
  -- A claim moves it to the end of its lease.
  next_digest_at timestamptz,
  digest_attempts integer not null default 0,
  lease_token uuid,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
create index notification_subscriptions_of_user
  on notification_subscriptions (tenant_id, user_id, id);
create index notification_subscriptions_of_event on notification_subscriptions (tenant_id, event);
create index notification_subscriptions_digest
  on notification_subscriptions (tenant_id, next_digest_at) where next_digest_at is not null;
select app.isolate('notification_subscriptions');
create policy due on notification_subscriptions for select to earshot_system using (true);
grant select (tenant_id, id, next_digest_at) on notification_subscriptions to earshot_system;

create table notifications (
  tenant_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  user_id uuid not null,
  channel text not null check (channel in ('email', 'console', 'slack', 'teams')),
  event_id uuid not null,
  event text not null,
  survey_id uuid,
  -- Of an anonymous survey: it names only the day, without words.
  withheld boolean not null default false,
  status text not null check (status in ('pending', 'sent')),
  -- Of a settled row: its channel never took it.
  given_up boolean not null default false,
  -- A row that waits for a digest has none.
  next_attempt_at timestamptz,
  attempts integer not null default 0,
  lease_token uuid,
  created_at timestamptz not null,
  sent_at timestamptz,
  read_at timestamptz,
  primary key (tenant_id, id)
);
-- The tenant is not first, as above.
create unique index notifications_once on notifications (subscription_id, tenant_id, event_id);
create index notifications_of_user on notifications (user_id, tenant_id, id);
create index notifications_due on notifications (tenant_id, next_attempt_at)
  where next_attempt_at is not null;
create index notifications_for_digest on notifications (tenant_id, subscription_id)
  where status = 'pending' and next_attempt_at is null;
select app.isolate('notifications');
create policy due on notifications for select to earshot_system using (true);
grant select (tenant_id, id, next_attempt_at, created_at) on notifications to earshot_system;

-- One message to one person. The row is the job: next_attempt_at is null once it is settled. A
-- claim sets the lease columns and the status. No index has these, so it is a HOT update.
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
  status text not null check (status in (
    'queued', 'calling', 'accepted', 'delivered', 'bounced', 'complained', 'failed', 'opened',
    'clicked', 'started', 'completed', 'skipped', 'cancelled'
  )),
  -- Why it failed or was skipped: a code, never a provider's words.
  reason text,
  -- Shown by its day: it belongs to an anonymous survey.
  by_day boolean not null default false,
  -- Set if the workspace remembers its recipients.
  person_id uuid,
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
create index sends_due on sends (tenant_id, channel, next_attempt_at)
  where next_attempt_at is not null;
-- The tenant is not first, because PostgreSQL would find a send by its id through them in a
-- workspace that it has no statistics of.
create index sends_of_invitation on sends (invitation_id, tenant_id, id);
create index sends_of_survey on sends (survey_id, tenant_id, id);
create index sends_of_person on sends (address_hash, tenant_id, channel, created_at);
create index sends_of_people on sends (tenant_id, person_id, created_at)
  where person_id is not null;
create index sends_of_agent on sends (tenant_id, agent_id, accepted_at) where agent_id is not null;
create index sends_of_chain on sends (tenant_id, first_send_id) where reminder > 0;
create index sends_by_provider on sends (tenant_id, provider_id) where provider_id is not null;
create index sends_of_response on sends (tenant_id, response_id) where response_id is not null;
create index sends_created on sends (tenant_id, created_at) where created_at <= 'infinity';
create index sends_accepted on sends
  (tenant_id, (case when by_day then date_bin('1 day', accepted_at, 'epoch') else accepted_at end))
  where accepted_at is not null;
select app.isolate('sends');
create policy due on sends for select to earshot_system using (true);
grant select (tenant_id, id, channel, status, next_attempt_at, lease_until, created_at)
  on sends to earshot_system;

-- Invitations that a provider took: public survey id, channel and time, and nothing about the
-- person.
create table survey_deliveries (
  tenant_id uuid not null,
  id uuid not null,
  survey_id uuid not null,
  channel text not null check (channel in ('email', 'sms', 'voice')),
  -- Names the cause, such as `send:<uuid>`: the same cause never makes a second record.
  source text not null,
  accepted_at timestamptz not null,
  primary key (tenant_id, id),
  unique (source, tenant_id)
);
create index survey_deliveries_of_survey on survey_deliveries (survey_id, tenant_id, id);
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
