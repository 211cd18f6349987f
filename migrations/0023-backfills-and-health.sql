-- What people asked to be sent again, how far it has come, and whether under new event ids. The job
-- that carries it on stands in webhook_jobs under the same id.
create table webhook_backfills (
  tenant_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  survey_id uuid not null,
  since timestamptz not null,
  until timestamptz not null,
  event_ids text not null check (event_ids in ('same', 'new')),
  -- Responses, at its start and handled so far.
  total integer not null,
  done integer not null default 0,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (tenant_id, id)
);
select app.isolate('webhook_backfills');

-- A replay of delivered events instead of dead letters.
alter table webhook_jobs add column resends boolean not null default false;
grant select (resends) on webhook_jobs to earshot_system;

-- Headers of an answer, as JSON of names and values. Only technical values are kept; the others are
-- masked before they get here. And the address that was dialled.
alter table webhook_attempts
  add column response_headers text,
  add column address text;

-- Attempts of an hour, by outcome and class of latency (-1: no answer). Each process adds its counts
-- at most once a second. Hours older than eight days go with the first write of a new hour.
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
