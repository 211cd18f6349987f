-- The people whom a workspace asks.
create table people (
  tenant_id uuid not null,
  id uuid not null,
  -- The id of the person in the workspace's own systems.
  external_id text,
  -- Keyed hashes of the addresses.
  email_hash text,
  phone_hash text,
  -- Email, phone and name. Null if there is none of them.
  sealed text,
  language text,
  timezone text,
  attributes jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_invited_at timestamptz,
  -- The last completed response, by the time of its completion.
  last_responded_at timestamptz,
  last_score integer,
  last_band text,
  primary key (tenant_id, id)
);
create unique index people_by_external_id on people (tenant_id, external_id)
  where external_id is not null;
create unique index people_by_email on people (tenant_id, email_hash) where email_hash is not null;
create unique index people_by_phone on people (tenant_id, phone_hash) where phone_hash is not null;
-- The orders of the list.
create index people_created on people (tenant_id, created_at) where created_at <= 'infinity';
create index people_invited on people (tenant_id, last_invited_at)
  where last_invited_at is not null;
create index people_responded on people (tenant_id, last_responded_at)
  where last_responded_at is not null;
create index people_by_score on people (tenant_id, last_score, id) where last_score is not null;
create index people_by_low_score on people (tenant_id, last_score desc, id)
  where last_score is not null;
select app.isolate('people');

-- The words of people's names, each as a keyed hash, for the search. Rows of their own: row level
-- security rules out indexes of arrays, because their operators are not leakproof.
create table people_names (
  tenant_id uuid not null,
  word_hash text collate "C" not null,
  person_id uuid not null,
  primary key (tenant_id, word_hash, person_id)
);
create index people_names_of_person on people_names (tenant_id, person_id)
  where person_id >= '00000000-0000-0000-0000-000000000000';
select app.isolate('people_names', 'select, insert, delete');

-- Saved groups of people.
create table segments (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  description text not null,
  filter jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
select app.isolate('segments');

-- One call of `invite`. An invitation of a segment decides its people in batches.
create table invitations (
  tenant_id uuid not null,
  id uuid not null,
  -- For people who look for it among others.
  name text,
  survey_id uuid not null,
  segment_id uuid,
  channel text not null check (channel in ('email', 'sms', 'voice')),
  template_id uuid,
  send_at timestamptz not null,
  -- [{after_hours, template_id}], in order.
  reminders jsonb not null,
  accepted integer not null,
  deferred integer not null,
  -- Reason -> how many were not taken.
  skipped jsonb not null,
  undecided integer not null default 0,
  -- The next batch. A claim moves it to the end of its lease.
  next_at timestamptz,
  lease_token uuid,
  created_by text,
  created_at timestamptz not null,
  cancelled_at timestamptz,
  primary key (tenant_id, id)
);
create index invitations_of_segment on invitations (tenant_id, segment_id)
  where segment_id is not null;
create index invitations_due on invitations (tenant_id, next_at) where next_at is not null;
select app.isolate('invitations', 'select, insert, update, delete');
create policy age on invitations for select to earshot_system using (true);
grant select (tenant_id, id, next_at) on invitations to earshot_system;

-- The recipients of an invitation who get no message, so that each is named with the reason.
create table invitation_skips (
  tenant_id uuid not null,
  invitation_id uuid not null,
  -- In the request or the segment.
  position integer not null,
  person_id uuid,
  -- Keyed. Empty: the recipient had no address, or was erased.
  address_hash text not null,
  -- The masked address.
  sealed text,
  reason text not null,
  skipped_at timestamptz not null,
  primary key (tenant_id, invitation_id, position)
);
create index invitation_skips_of_address on invitation_skips (tenant_id, address_hash)
  where address_hash > '';
create index invitation_skips_of_person on invitation_skips (tenant_id, person_id, skipped_at)
  where person_id is not null;
select app.isolate('invitation_skips');
alter table invitation_skips add foreign key (tenant_id, invitation_id)
  references invitations (tenant_id, id) on delete cascade;

-- The members of a segment when its invitation was accepted, until each is decided.
create table segment_invitees (
  tenant_id uuid not null,
  invitation_id uuid not null,
  position integer not null,
  person_id uuid not null,
  primary key (tenant_id, invitation_id, position)
);
select app.isolate('segment_invitees', 'select, insert, delete');

-- Addresses that get no more messages, by keyed hash and never in the clear.
create table suppressions (
  tenant_id uuid not null,
  id uuid not null,
  channel text not null check (channel in ('email', 'sms', 'voice')),
  address_hash text not null,
  masked text not null,
  reason text not null check (reason in (
    'manual', 'hard_bounce', 'unsubscribe', 'stop_keyword', 'complaint', 'erasure'
  )),
  -- The rank of the reason: a weaker one never takes the place of a stronger one.
  strength smallint not null,
  source text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, channel, address_hash)
);
select app.isolate('suppressions');

-- Lifted suppressions: by whom, and on what evidence. The id is that of the suppression.
create table suppression_lifts (
  tenant_id uuid not null,
  id uuid not null,
  channel text not null,
  address_hash text not null,
  masked text not null,
  reason text not null,
  source text not null,
  suppressed_at timestamptz not null,
  lifted_at timestamptz not null,
  -- `user:…`, `api_key:…`, or `recipient` if the person asked for it.
  lifted_by text not null,
  evidence text,
  primary key (tenant_id, id)
);
select app.isolate('suppression_lifts', 'select, insert, update');

create table email_templates (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  default_language text not null,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The row stays for messages that are still to be sent with it.
  deleted_at timestamptz,
  primary key (tenant_id, id)
);
create index email_templates_listed on email_templates (tenant_id, id) where deleted_at is null;
select app.isolate('email_templates', 'select, insert, update');

create table email_template_versions (
  tenant_id uuid not null,
  template_id uuid not null,
  version integer not null,
  id uuid not null,
  default_language text not null,
  -- Language -> {subject, html, text}.
  content jsonb not null,
  created_by text,
  created_at timestamptz not null,
  primary key (tenant_id, template_id, version)
);
select app.isolate('email_template_versions', 'select, insert');
alter table email_template_versions add foreign key (tenant_id, template_id)
  references email_templates (tenant_id, id);

create table short_urls (
  tenant_id uuid not null,
  id uuid not null,
  slug text not null,
  -- Either of the two.
  target text,
  survey_id uuid,
  -- Whether the query of a visit goes on to the target.
  forward_query boolean not null default false,
  expires_at timestamptz,
  max_clicks integer,
  -- People's clicks since it was made. Clicks of programs are not counted here.
  clicks integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
) with (fillfactor = 80);
create unique index short_urls_slug on short_urls (tenant_id, slug) where slug >= '';
select app.isolate('short_urls');

-- Clicks of a quarter of an hour, because days of every time zone consist of quarters.
create table short_url_clicks (
  tenant_id uuid not null,
  short_url_id uuid not null,
  at timestamptz not null,
  id uuid not null,
  human integer not null,
  bot integer not null,
  primary key (tenant_id, short_url_id, at),
  unique (tenant_id, id)
) with (fillfactor = 80);
select app.isolate('short_url_clicks');
create policy age on short_url_clicks for select to earshot_system using (true);
grant select (tenant_id, id) on short_url_clicks to earshot_system;

-- Numbers that people write to and call. `directory` has the workspace of each.
create table inbound_numbers (
  tenant_id uuid not null,
  id uuid not null,
  -- E.164.
  number text not null,
  label text not null,
  capabilities text[] not null,
  -- [{keyword, survey_id}].
  keywords jsonb not null,
  default_survey_id uuid,
  language text,
  timezone text,
  -- {start, end} in that time zone.
  quiet_hours jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, number)
);
select app.isolate('inbound_numbers');

-- One survey put to one person by SMS or in one call. The answers are in the response.
create table conversations (
  tenant_id uuid not null,
  id uuid not null,
  channel text not null check (channel in ('sms', 'voice')),
  -- Our number. The person's number is a keyed hash, and a mask for people to read.
  number text not null,
  address_hash text not null,
  masked text not null,
  survey_id uuid not null,
  -- The version in which `asked` was put, until there is a response.
  survey_version integer not null,
  language text not null,
  send_id uuid,
  -- The provider's id of the call.
  call_id text,
  response_id uuid,
  -- The question that waits for an answer, and its row or field.
  asked text,
  part text,
  seen text[] not null,
  -- Replies to the present question that could not be read.
  tries integer not null,
  silences integer not null,
  -- Turns so far. The next turn of a call names it.
  step integer not null,
  -- Address and custom data, and a reply that waits to be confirmed. Erased at the end of the
  -- conversation.
  sealed text,
  -- The first message of an invitation, so that it reads the same when it is sent again.
  opening text,
  next_action_at timestamptz,
  reminded_at timestamptz,
  opened_at timestamptz not null,
  updated_at timestamptz not null,
  ended_at timestamptz,
  -- completed, invalid, refused, stopped, expired, superseded, silent, hung_up, survey_closed,
  -- number_removed
  ended_reason text,
  -- Whether we replied to a late answer that it came too late.
  late_told boolean not null default false,
  primary key (tenant_id, id)
) with (fillfactor = 80);
create unique index conversations_open on conversations (tenant_id, number, address_hash)
  where channel = 'sms' and ended_at is null;
create unique index conversations_of_send on conversations (tenant_id, send_id)
  where channel = 'sms' and send_id is not null;
create unique index conversations_of_call on conversations (tenant_id, call_id)
  where call_id is not null;
create index conversations_of_person on conversations (tenant_id, number, address_hash, id)
  where address_hash >= '';
create index conversations_due on conversations (tenant_id, next_action_at)
  where next_action_at is not null;
-- Erasure and access find a person's conversations by address and by response.
create index conversations_of_address on conversations (address_hash, tenant_id)
  where address_hash > '';
create index conversations_of_response on conversations (tenant_id, response_id)
  where response_id is not null;
-- Those that no response keeps.
create index conversations_unkept on conversations (tenant_id, id) where response_id is null;
-- Those that still have their person.
create index conversations_unfaded on conversations (tenant_id, id) where address_hash > '';
select app.isolate('conversations');
create policy due on conversations for select to earshot_system using (true);
grant select (tenant_id, id, next_action_at) on conversations to earshot_system;

-- The reply to each message and each step of a call, so that a repeat gets the same and changes
-- nothing.
create table conversation_turns (
  tenant_id uuid not null,
  id uuid not null,
  -- `MessageSid`, or `CallSid` and step.
  key text not null,
  conversation_id uuid,
  -- Set where somebody wrote a text that leads to no survey. We explain that once.
  stranger_hash text,
  -- The TwiML, sealed, because it may repeat the person's words.
  reply text not null,
  -- The words of the person and ours, sealed, while the response is there.
  exchange text,
  received_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, key)
);
create index conversation_turns_of_strangers
  on conversation_turns (tenant_id, stranger_hash, received_at) where stranger_hash is not null;
create index conversation_turns_of_conversation on conversation_turns (tenant_id, conversation_id)
  where conversation_id is not null;
create index conversation_turns_unkept on conversation_turns (tenant_id, id)
  where conversation_id is null;
select app.isolate('conversation_turns');
create policy age on conversation_turns for select to earshot_system using (true);
grant select (tenant_id, id) on conversation_turns to earshot_system;
