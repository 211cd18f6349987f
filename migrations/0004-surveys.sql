create table surveys (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  state text not null check (state in ('draft', 'live', 'paused', 'closed', 'archived')),
  -- The draft that is edited. Respondents see survey_versions.
  definition jsonb not null,
  -- Counts every change; the ETag.
  revision integer not null,
  -- The latest published version, 0 before the first.
  version integer not null,
  unpublished_changes boolean not null,
  -- Question id -> type, of every version so far.
  frozen_types jsonb not null,
  starts_at timestamptz,
  closes_at timestamptz,
  response_limit integer check (response_limit > 0),
  published_at timestamptz,
  -- Of the draft, the default one first.
  languages text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The person (usr_…) or the API key (key_…) of the last change.
  updated_by text,
  primary key (tenant_id, id)
);
select app.isolate('surveys');

create table survey_versions (
  tenant_id uuid not null,
  survey_id uuid not null,
  version integer not null,
  -- UUIDv7, for pages.
  id uuid not null,
  definition jsonb not null,
  published_at timestamptz not null,
  published_by text,
  primary key (tenant_id, survey_id, version)
);
select app.isolate('survey_versions', 'select, insert');

-- How many completed responses each quota holds. `*` is the survey's response_limit; its row exists
-- while the survey has one.
create table quota_counts (
  tenant_id uuid not null,
  survey_id uuid not null,
  quota_id text not null,
  count integer not null,
  primary key (tenant_id, survey_id, quota_id)
);
select app.isolate('quota_counts');
alter table quota_counts add foreign key (tenant_id, survey_id)
  references surveys (tenant_id, id) on delete cascade;

-- Takes places in the quotas of several respondents at once, because those who finish at the same
-- moment commit together. One update for each counter, in the order of survey and quota: every
-- transaction locks them in this order. Fails with QF001 and the id of the first quota that has too
-- few places left.
create function app.take_quotas(tenant uuid, surveys uuid[], ids text[], limits integer[])
returns void
language plpgsql as $$
declare
  place record;
  taken integer;
begin
  for place in
    select u.survey, u.id, min(u.most) as most, count(*)::integer as wanted
    from unnest(surveys, ids, limits) as u (survey, id, most)
    group by u.survey, u.id order by u.survey, u.id
  loop
    update quota_counts set count = count + place.wanted
    where tenant_id = tenant and survey_id = place.survey and quota_id = place.id
    returning count into taken;
    if taken > place.most then
      raise exception using errcode = 'QF001', message = 'quota full', detail = place.id;
    end if;
  end loop;
end
$$;

-- People whom surveys ask about.
create table agents (
  tenant_id uuid not null,
  id uuid not null,
  -- The workspace's own id. Null for an agent who is known by our id alone.
  external_id text,
  name text not null,
  team text,
  email text,
  active boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
create unique index agents_by_external_id on agents (tenant_id, external_id)
  where external_id is not null;
select app.isolate('agents');
