-- A response to an anonymous survey: held until enough others came, then released into the figures
-- together with them. Null for any other survey.
alter table responses add column anonymity text;
alter table responses add constraint responses_anonymity
  check (anonymity in ('held', 'released'));
create index responses_held on responses (tenant_id, survey_id, id) where anonymity = 'held';
