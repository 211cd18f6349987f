-- Who is not to be contacted, by keyed hash and never by address.
create table suppressions (
  tenant_id uuid not null,
  id uuid not null,
  channel text not null check (channel in ('email', 'sms', 'voice')),
  address_hash text not null,
  masked text not null,
  reason text not null check (reason in ('manual', 'hard_bounce', 'unsubscribe', 'stop_keyword', 'complaint', 'erasure')),
  -- The rank of the reason: a weaker one never takes the place of a stronger one.
  strength smallint not null,
  source text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, channel, address_hash)
);
select app.isolate('suppressions');

-- What was lifted, by whom, and on what evidence. The id is that of the suppression.
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
  -- `user:…`, `api_key:…`, or `recipient` for the person's own word.
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
  -- Kept for what is still to be sent with it.
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
  primary key (tenant_id, template_id, version),
  foreign key (tenant_id, template_id) references email_templates (tenant_id, id)
);
select app.isolate('email_template_versions', 'select, insert');

create table short_urls (
  tenant_id uuid not null,
  id uuid not null,
  slug text not null,
  -- Either of the two.
  target text,
  survey_id uuid,
  expires_at timestamptz,
  max_clicks integer,
  -- People's clicks since it was made; programs are not counted here.
  clicks integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, slug)
) with (fillfactor = 80);
select app.isolate('short_urls');

-- Clicks of a quarter of an hour: days of every time zone are made of these.
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
