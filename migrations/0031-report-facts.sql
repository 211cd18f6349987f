-- What reports may filter and count by: for each day of a survey with rollups, and each fact about its
-- responses, which of them it holds for. No rows for a day that is not over, and none for a day that
-- changed since: those responses are read one by one.
create table report_facts (
  tenant_id uuid not null,
  survey_id uuid not null,
  -- A day in UTC, in parts of 4,096 responses in the order of their recording.
  starts_at timestamptz not null,
  part integer not null,
  -- A JSON array such as ["channel", "web"], as the cells of rollups. ["all"] holds for each response.
  cell text collate "C" not null,
  -- The responses among which a report counts it. Null: it only filters.
  among text check (among in ('all', 'counted', 'completed', 'open')),
  -- Bit n is about the n-th response of the part.
  holds bit varying not null,
  -- Of ["all"]: when each response was recorded.
  recorded timestamptz[],
  primary key (tenant_id, survey_id, cell, starts_at, part)
);
select app.isolate('report_facts', 'select, insert, delete');

-- Cells hold tags and custom values, and samples would keep them after an erasure. The list of
-- migration 0020, with them.
create or replace function app.keep_no_samples() returns void
language plpgsql as $$
declare
  target text;
  columns text[];
  name text;
begin
  for target, columns in values
    ('responses', '{answers,text,custom_data,notes,tags}'::text[]),
    ('events', '{data}'), ('webhook_attempts', '{response_excerpt}'),
    ('idempotency_keys', '{body,key}'), ('outgoing_emails', '{sealed}'),
    ('member_invitations', '{email}'), ('sends', '{recipient,masked}'),
    ('conversations', '{sealed,masked}'), ('conversation_turns', '{reply}'),
    ('suppressions', '{masked}'), ('suppression_lifts', '{masked,evidence}'),
    ('privacy_requests', '{sealed}'), ('privacy_archives', '{sealed}'),
    ('people', '{external_id,sealed,attributes}'),
    ('verbatim_words', '{word}'), ('verbatims', '{sentiment}'),
    ('agents', '{external_id,name,email}'),
    ('alerts', '{excerpt,root_cause,resolution,case_url}'), ('alert_entries', '{text}'),
    ('leads', '{contact,tags}'),
    ('export_templates', '{sealed}'), ('export_runs', '{sealed}'), ('export_slices', '{ids}'),
    ('report_facts', '{cell}')
  loop
    foreach name in array columns loop
      if to_regproc('create_distributed_table') is null then
        execute format('alter table %I alter %I set statistics 0', target, name);
      else
        perform run_command_on_shards(
          target::regclass, format('alter table %%s alter %I set statistics 0', name));
      end if;
    end loop;
  end loop;
end
$$;

do $$
begin
  if to_regproc('create_distributed_table') is null then
    perform app.keep_no_samples();
  end if;
end
$$;
