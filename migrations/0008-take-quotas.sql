-- Counts one completion in each of these counters (in the order of their ids, so that two completions never wait for each
-- other), or fails with QF001 and the id of the first that is full. One call, sent together with COMMIT: the counters of a
-- survey are what its respondents wait for, and they are held no longer than this takes.
create function app.take_quotas(tenant uuid, survey uuid, ids text[], limits integer[]) returns void
language plpgsql as $$
declare
  place record;
  taken integer;
begin
  for place in select u.id, u.most from unnest(ids, limits) as u (id, most) order by u.id loop
    update quota_counts set count = count + 1
    where tenant_id = tenant and survey_id = survey and quota_id = place.id
    returning count into taken;
    if taken > place.most then
      raise exception using errcode = 'QF001', message = 'quota full', detail = place.id;
    end if;
  end loop;
end
$$;
