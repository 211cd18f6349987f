create table badges (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  survey_id uuid not null,
  metric text not null check (metric in ('nps', 'csat', 'ces')),
  period_days integer not null,
  min_n integer not null,
  label text not null,
  style text not null check (style in ('flat', 'card')),
  color text not null,
  enabled boolean not null,
  -- In every page that shows the badge, so it is no secret.
  token text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, token)
);
select app.isolate('badges');
