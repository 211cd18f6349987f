-- Accounts of people. An account belongs to no workspace, so only earshot_system reads it. A mailed
-- link, an accepted invitation or a reset proves its mailbox. An unproven account only claims its
-- address, so one address may have several accounts, of which at most one is proven
-- (docs/decisions/0045).
create table users (
  id uuid primary key,
  email text not null check (email = lower(email)),
  name text not null,
  password_hash text not null,
  -- Set with a new password, until the sessions of every workspace have ended.
  sessions_to_end boolean not null,
  -- The session that set the password. It stays when the others end.
  kept_session uuid,
  -- Null is the language of the browser.
  language text,
  -- Of the console, for all workspaces.
  preferences jsonb,
  last_workspace uuid,
  invited_workspace uuid,
  verified_at timestamptz,
  -- Of the token in the newest mail.
  verification_hash text unique,
  verification_ends_at timestamptz,
  -- The decision about the claims of a proven mailbox, until it is carried out.
  settling jsonb,
  created_at timestamptz not null
);
create unique index users_proven on users (email) where verified_at is not null;
create unique index users_by_password on users (email, password_hash);
create index users_sessions_to_end on users (id) where sessions_to_end;
create index users_settling on users (id) where settling is not null;
grant select, insert, update, delete on users to earshot_system;

-- First a request (email), then a mailed token (token_hash). The use of the token deletes the row.
create table password_resets (
  id uuid primary key,
  email text,
  user_id uuid,
  -- Of the mail. Null is English.
  language text,
  token_hash text unique,
  requested_at timestamptz not null,
  due_at timestamptz,
  expires_at timestamptz not null
);
create index password_resets_due on password_resets (due_at) where due_at is not null;
create index password_resets_expiry on password_resets (expires_at);
create index password_resets_user on password_resets (user_id);
grant select, insert, update, delete on password_resets to earshot_system;

-- The addresses from which each account signed in. Both columns are keyed hashes: of the email
-- address, and of the IPv4 address or the /64 of IPv6.
create table known_addresses (
  account text not null,
  address text not null,
  last_used_at timestamptz not null,
  primary key (account, address)
);
create index known_addresses_age on known_addresses (last_used_at);
grant select, insert, update, delete on known_addresses to earshot_system;

-- Wrong passwords for an account, known or not, from addresses where it never signed in.
create table sign_in_delays (
  account text primary key,
  failures integer not null,
  -- Until then, new addresses may not try.
  blocked_until timestamptz,
  last_failed_at timestamptz not null
);
create index sign_in_delays_age on sign_in_delays (last_failed_at);
grant select, insert, update, delete on sign_in_delays to earshot_system;

create table roles (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  permissions text[] not null,
  built_in boolean not null,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
create unique index roles_name on roles (tenant_id, lower(name)) where lower(name) >= '';
select app.isolate('roles');

create table memberships (
  tenant_id uuid not null,
  user_id uuid not null,
  role_id uuid not null,
  created_at timestamptz not null,
  -- To five minutes.
  last_seen_at timestamptz,
  primary key (tenant_id, user_id)
);
create index memberships_role on memberships (tenant_id, role_id)
  where role_id >= '00000000-0000-0000-0000-000000000000';
select app.isolate('memberships');
alter table memberships add foreign key (tenant_id, role_id) references roles (tenant_id, id);

create table member_invitations (
  tenant_id uuid not null,
  id uuid not null,
  email text not null check (email = lower(email)),
  role_id uuid not null,
  token_hash text not null,
  -- The inviter has seen the token, so it proves no mailbox.
  handed_over boolean not null default false,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, email)
);
create index member_invitations_role on member_invitations (tenant_id, role_id);
create index member_invitations_end on member_invitations (tenant_id, expires_at);
select app.isolate('member_invitations');
alter table member_invitations add foreign key (tenant_id, role_id)
  references roles (tenant_id, id);
create policy sweep on member_invitations for select to earshot_system using (true);
grant select (tenant_id, expires_at) on member_invitations to earshot_system;

create table sessions (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  token_hash text not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  -- The earlier of 12 h after the last use and expires_at.
  valid_until timestamptz not null,
  expires_at timestamptz not null,
  -- The address and the browser of the last use.
  sealed text,
  primary key (tenant_id, id),
  unique (token_hash, tenant_id)
);
create index sessions_user on sessions (tenant_id, user_id)
  where user_id >= '00000000-0000-0000-0000-000000000000';
create index sessions_end on sessions (tenant_id, valid_until) where valid_until >= '-infinity';
select app.isolate('sessions');
create policy sweep on sessions for select to earshot_system using (true);
grant select (tenant_id, valid_until) on sessions to earshot_system;

create table api_keys (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  last_four text not null,
  key_hash text not null,
  permissions text[] not null,
  created_by_type text not null check (created_by_type in ('user', 'api_key')),
  created_by_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  -- The person who answers for the key: its maker, or the member who adopted it.
  maker_id uuid not null,
  primary key (tenant_id, id),
  unique (key_hash, tenant_id)
);
select app.isolate('api_keys');

-- Mail that is still to be sent. `sealed` holds recipient, subject and body, because a body may
-- hold a token; it is removed when the row is finished. A claim moves next_attempt_at to the end of
-- its lease.
create table outgoing_emails (
  tenant_id uuid not null,
  id uuid not null,
  kind text not null,
  sealed text,
  -- The subject and the body, where many get the same. `sealed` has the recipient then.
  content_id uuid,
  -- With its content it takes much memory to send, so few are sent at once.
  is_large boolean not null default false,
  status text not null check (status in ('pending', 'sent', 'failed')),
  attempts integer not null,
  next_attempt_at timestamptz,
  lease_token uuid,
  last_error text,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (tenant_id, id)
);
create index outgoing_emails_due on outgoing_emails (tenant_id, next_attempt_at)
  where next_attempt_at is not null;
create index outgoing_emails_large on outgoing_emails (tenant_id, next_attempt_at)
  where next_attempt_at is not null and is_large;
select app.isolate('outgoing_emails');
create policy sweep on outgoing_emails for select to earshot_system using (true);
grant select (tenant_id, id, is_large, next_attempt_at, created_at) on outgoing_emails
  to earshot_system;
create index outgoing_emails_content on outgoing_emails (tenant_id, content_id)
  where content_id is not null and next_attempt_at is not null;

-- The common part of many mails. The last of them to finish removes it.
create table outgoing_email_contents (
  tenant_id uuid not null,
  id uuid not null,
  sealed text not null,
  primary key (tenant_id, id)
);
select app.isolate('outgoing_email_contents');

-- Pictures of a workspace. Their files are in the object store, at a place that follows from the
-- id.
create table assets (
  tenant_id uuid not null,
  id uuid not null,
  -- Of the content. It is the name in the public address.
  hash text not null,
  type text not null,
  width integer not null,
  height integer not null,
  bytes integer not null,
  alt text,
  created_at timestamptz not null,
  -- When file and row are removed: null while the picture is kept, in an hour while it is being
  -- stored.
  remove_at timestamptz,
  primary key (tenant_id, id)
);
create unique index assets_kept on assets (tenant_id, hash) where remove_at is null;
create index assets_leaving on assets (tenant_id, remove_at) where remove_at is not null;
select app.isolate('assets');
create policy due on assets for select to earshot_system using (true);
grant select (tenant_id, id, remove_at) on assets to earshot_system;

-- One-use addresses for a browser's own download: the path, and who asked for it.
create table download_tickets (
  tenant_id uuid not null,
  token_hash text not null,
  path text not null,
  -- The hash of the session or API key that asked. It may have ended since.
  credential_kind text not null check (credential_kind in ('session', 'api_key')),
  credential_hash text not null,
  expires_at timestamptz not null,
  primary key (tenant_id, token_hash)
);
create index download_tickets_expiry on download_tickets (tenant_id, expires_at);
select app.isolate('download_tickets');
create policy sweep on download_tickets for select to earshot_system using (true);
grant select (tenant_id, expires_at) on download_tickets to earshot_system;
