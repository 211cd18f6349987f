-- The person who answers for a key: the one who made it, or who adopted it. Null where a key made the key and the chain to a person
-- is broken, and for keys that a process of the previous version makes during an upgrade.
alter table api_keys add column maker_id uuid;
alter table api_keys no force row level security;
update api_keys set maker_id = created_by_id where created_by_type = 'user';
do $$
declare
  found_makers bigint;
begin
  loop
    update api_keys made set maker_id = maker.maker_id
    from api_keys maker
    where maker.tenant_id = made.tenant_id and maker.id = made.created_by_id and made.created_by_type = 'api_key'
      and made.maker_id is null and maker.maker_id is not null;
    get diagnostics found_makers = row_count;
    exit when found_makers = 0;
  end loop;
end
$$;
alter table api_keys force row level security;
