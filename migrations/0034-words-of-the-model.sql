-- The next time that the language model is asked about a text. A claim moves it to the end of its
-- lease. Null: nothing to ask.
alter table verbatims add column model_at timestamptz;
-- How often it was asked without a usable answer.
alter table verbatims add column model_tries smallint not null default 0;
-- Whether the listeners hear of its word. Not for old texts, which are read again after a change of a
-- topic.
alter table verbatims add column model_tells boolean not null default false;
create index verbatims_unread on verbatims (tenant_id, model_at) where model_at >= '-infinity';
create policy due on verbatims for select to earshot_system using (true);
grant select (tenant_id, model_at) on verbatims to earshot_system;
