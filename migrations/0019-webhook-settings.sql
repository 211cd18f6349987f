-- Tags and headers that a workspace gives a webhook, and the secret before the last rotation.
alter table webhooks
  add column tags text[] not null default '{}',
  -- Sealed JSON of names and values; the names stand beside it, so that a list opens nothing.
  add column headers text,
  add column header_names text[] not null default '{}',
  add column previous_secret text,
  add column previous_secret_expires_at timestamptz;
