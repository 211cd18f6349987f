-- The planner's statistics would keep samples of what people wrote, as 0009 explains. A later table
-- with such columns comes with a new version of this function.
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
    ('export_templates', '{sealed}'), ('export_runs', '{sealed}'), ('export_slices', '{ids}')
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
