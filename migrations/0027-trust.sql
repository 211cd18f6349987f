-- What a data protection request has found, in sealed pieces of bounded size. An erasure deletes each
-- piece in the transaction that erases its rows.
create table privacy_found (
  tenant_id uuid not null,
  request_id uuid not null,
  id uuid not null,
  -- A store and its table, or a list of the person's ids.
  place text not null,
  sealed text not null,
  primary key (tenant_id, request_id, id)
);
select app.isolate('privacy_found');

-- Searched again, as an earlier version kept what it found elsewhere.
update privacy_requests set status = 'searching' where status = 'ready' and sealed is not null;

-- Answers that are kept for repeated requests are found by the contacts in them. Rows of earlier
-- versions have no id and are read one by one until they expire, a day later.
alter table idempotency_keys add column id uuid;
create index idempotency_keys_by_id on idempotency_keys (tenant_id, id);
create index idempotency_keys_older on idempotency_keys (tenant_id, principal, route, key)
  where id is null and body is not null;

alter table typed_contacts drop constraint typed_contacts_place_check;
alter table typed_contacts
  add constraint typed_contacts_place_check check (place in ('responses', 'idempotency_keys'));
