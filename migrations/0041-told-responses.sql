-- Whether webhooks were told that a response was completed, before it was quarantined. Its event is removed when its
-- retention has passed, and a release after that must not tell it as a new one.
alter table responses add column told boolean not null default false;
