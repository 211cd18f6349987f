-- A mailbox is proved by a mailed link, an accepted invitation or a reset. Accounts of an earlier version count as
-- proven, so that an upgrade stops no server (docs/decisions/0045). An unproven account only claims its address, so one
-- address may have several; at most one is proven. `settling` is set while the claims of a proven mailbox are worked off.
alter table users
  add column verified_at timestamptz,
  add column last_workspace uuid,
  add column invited_workspace uuid,
  add column settling jsonb,
  -- Of the token of the newest mail.
  add column verification_hash text unique,
  add column verification_ends_at timestamptz;
update users set verified_at = created_at;
alter table users drop constraint users_email_key;
create unique index users_proven on users (email) where verified_at is not null;
create unique index users_by_password on users (email, password_hash);
create index users_settling on users (id) where settling is not null;
grant delete on users to earshot_system;

-- True from the sign-up by an unproven account until its mailbox is proved.
alter table workspaces add column unproven boolean not null default false;
