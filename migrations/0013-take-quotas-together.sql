-- Takes places in the quotas of several respondents at once: those that finish at the same moment commit together. One update for
-- each counter, in the order of survey and quota, as everybody who takes places in many locks them. Fails with QF001 and the id
-- of the first that has too few left.
create function app.take_quotas(tenant uuid, surveys uuid[], ids text[], limits integer[]) returns void
language plpgsql as $$
declare
  place record;
  taken integer;
begin
  for place in
    select u.survey, u.id, min(u.most) as most, count(*)::integer as wanted
    from unnest(surveys, ids, limits) as u (survey, id, most) group by u.survey, u.id order by u.survey, u.id
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
