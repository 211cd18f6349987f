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
select app.isolate('people');
create unique index people_by_external_id on people (tenant_id, external_id)
  where external_id is not null;
create unique index people_by_email on people (tenant_id, email_hash) where email_hash is not null;
create unique index people_by_phone on people (tenant_id, phone_hash) where phone_hash is not null;

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

-- The person that a message goes to, if the workspace remembers its recipients.
alter table sends add column person_id uuid;
create index responses_of_people on responses (tenant_id, person_id)
  where person_id is not null;
create index sends_of_people on sends (tenant_id, person_id, created_at)
  where person_id is not null;

-- An invitation of a segment decides its people in batches. A due one has a time in next_at, and a
-- claim moves it to the end of its lease.
alter table invitations add column segment_id uuid;
alter table invitations add column undecided integer not null default 0;
alter table invitations add column next_at timestamptz;
alter table invitations add column lease_token uuid;
create index invitations_due on invitations (tenant_id, next_at) where next_at is not null;
grant select (tenant_id, next_at) on invitations to earshot_system;
create index invitations_of_segment on invitations (tenant_id, segment_id)
  where segment_id is not null;

-- The members of a segment when its invitation was accepted, until each is decided.
create table segment_invitees (
  tenant_id uuid not null,
  invitation_id uuid not null,
  position integer not null,
  person_id uuid not null,
  primary key (tenant_id, invitation_id, position)
);
select app.isolate('segment_invitees', 'select, insert, delete');

alter table workspaces add column remember_recipients boolean not null default true;
