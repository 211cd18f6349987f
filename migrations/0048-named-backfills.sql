-- A backfill of a survey since a time, or of named responses.
alter table webhook_backfills
  alter column survey_id drop not null,
  alter column since drop not null,
  add column response_ids uuid[];
