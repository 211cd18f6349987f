-- An answer to an anonymous survey is 'held' until enough others wait, and then 'counted'. What figures show of it
-- are other rows: a 'figure' for each response of a group, and a 'part' for answers that waited longer than the rest
-- of their response. 'released' is both in one row, from before this migration.
alter table responses drop constraint responses_anonymity;
alter table responses add constraint responses_anonymity
  check (anonymity in ('held', 'counted', 'released', 'figure', 'part'));
-- The day of its group, and the questions whose answers figures do not show yet. Null until its figure is made.
alter table responses add column counted_on timestamptz;
alter table responses add column uncounted text[];
grant select (anonymity, told, completed_at) on responses to earshot_system;
-- Their events left at once.
update responses set told = true where anonymity is not null and state = 'completed';
create index responses_uncounted on responses (tenant_id, survey_id)
  where anonymity = 'counted' and uncounted is distinct from '{}';
create index responses_untold on responses (tenant_id, survey_id, completed_at)
  where anonymity in ('held', 'counted') and not told;

-- Shown by its day: it belongs to an anonymous survey.
alter table webhook_deliveries add column by_day boolean not null default false;
alter table sends add column by_day boolean not null default false;
update sends s set by_day = true, response_id = null, opened_at = null, clicked_at = null, started_at = null,
  completed_at = null,
  status = case
    when s.status not in ('opened', 'clicked', 'started', 'completed') then s.status
    when s.delivered_at is not null then 'delivered' else 'accepted' end
from surveys v
where v.tenant_id = s.tenant_id and v.id = s.survey_id and v.definition ->> 'privacy' = 'anonymous';
