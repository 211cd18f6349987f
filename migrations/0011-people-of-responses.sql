-- Who gave an invited response. No foreign key: an erased person leaves the response behind.
alter table responses add column person_id uuid;
