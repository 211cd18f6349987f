-- Keeps samples of people's words out of the planner's statistics. A migration that adds a column
-- with such words replaces this function and calls it. On Citus the statistics are those of the
-- shards, which take the statement only outside of a migration's transaction. So the operator of a
-- cluster calls the function once (docs/scaling.md, "From empty machines").
create function app.keep_no_samples() returns void
language plpgsql as $$
declare
  target text;
  columns text[];
  name text;
begin
  for target, columns in values
    ('responses', '{answers,text,custom_data,notes,tags}'::text[]),
    ('events', '{data}'), ('webhook_attempts', '{response_excerpt,response_headers}'),
    ('test_receiver_requests', '{sealed}'), ('sessions', '{sealed}'),
    ('idempotency_keys', '{body,key}'), ('outgoing_emails', '{sealed}'),
    ('outgoing_email_contents', '{sealed}'),
    ('member_invitations', '{email}'), ('sends', '{recipient,masked}'),
    ('conversations', '{sealed,masked}'), ('conversation_turns', '{reply,exchange}'),
    ('invitation_skips', '{sealed}'), ('suppressions', '{masked}'),
    ('suppression_lifts', '{masked,evidence}'),
    ('privacy_requests', '{sealed}'), ('privacy_archives', '{sealed}'),
    ('privacy_found', '{sealed}'), ('report_facts', '{cell}'), ('report_runs', '{document}'),
    ('people', '{external_id,sealed,attributes}'),
    ('verbatim_words', '{word}'), ('verbatims', '{sentiment}'),
    ('agents', '{external_id,name,team,email}'),
    ('alerts', '{excerpt,root_cause,resolution,case_url}'),
    ('alert_entries', '{before,after,text}'),
    ('leads', '{contact,tags}'), ('batches', '{words}'), ('batch_rows', '{kept}'),
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
revoke all on function app.keep_no_samples() from public;

do $$
begin
  if to_regproc('create_distributed_table') is null then
    perform app.keep_no_samples();
  end if;
end
$$;
