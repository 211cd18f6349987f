-- What people write about, by words that members choose. Starter topics come with the first look.
create table topics (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  -- Language -> words and phrases.
  keywords jsonb not null,
  -- Empty means every survey.
  survey_ids uuid[] not null,
  enabled boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
select app.isolate('topics');

-- The run that reads every text again after a change of a topic. One row a workspace.
create table topic_runs (
  tenant_id uuid not null,
  -- A change of a topic raises it, and the run starts again.
  revision integer not null,
  -- Responses up to this one are done.
  cursor uuid,
  done integer not null,
  total integer not null,
  -- The next step. A claim moves it to the end of its lease. Null at the end.
  next_at timestamptz,
  primary key (tenant_id)
);
create index topic_runs_due on topic_runs (tenant_id, next_at) where next_at >= '-infinity';
select app.isolate('topic_runs', 'select, insert, update');
create policy due on topic_runs for select to earshot_system using (true);
grant select (tenant_id, next_at) on topic_runs to earshot_system;

-- Responses whose texts are new. The completing transaction writes one row and nothing else.
create table verbatim_waiting (
  tenant_id uuid not null,
  id uuid not null,
  response_id uuid not null,
  -- A claim moves it to the end of its lease.
  next_at timestamptz not null,
  primary key (tenant_id, id)
);
create index verbatim_waiting_due on verbatim_waiting (tenant_id, next_at)
  where next_at >= '-infinity';
select app.isolate('verbatim_waiting');
create policy due on verbatim_waiting for select to earshot_system using (true);
grant select (tenant_id, next_at) on verbatim_waiting to earshot_system;

-- What is known of a text. The text itself stays in its response.
create table verbatims (
  tenant_id uuid not null,
  response_id uuid not null,
  question_id text not null,
  survey_id uuid not null,
  completed_at timestamptz not null,
  language text not null,
  language_source text not null check (language_source in ('rules', 'model', 'person')),
  sentiment text not null check (sentiment in ('negative', 'neutral', 'positive')),
  sentiment_score real not null check (sentiment_score between -1 and 1),
  sentiment_source text not null check (sentiment_source in ('rules', 'model', 'person')),
  -- Whether a person chose the topics.
  topics_by_person boolean not null,
  classified_at timestamptz not null,
  primary key (tenant_id, response_id, question_id)
);
create index verbatims_of_time on verbatims (tenant_id, completed_at)
  include (survey_id, sentiment_score) where completed_at >= '-infinity';
create index verbatims_of_feeling
  on verbatims (tenant_id, sentiment_score, response_id, question_id)
  where sentiment_score >= -1;
select app.isolate('verbatims');

create table verbatim_topics (
  tenant_id uuid not null,
  response_id uuid not null,
  question_id text not null,
  topic_id uuid not null,
  confidence real not null,
  source text not null check (source in ('rules', 'model', 'person')),
  primary key (tenant_id, response_id, question_id, topic_id)
);
create index verbatim_topics_of_topic
  on verbatim_topics (tenant_id, topic_id, response_id, question_id)
  where topic_id >= '00000000-0000-0000-0000-000000000000';
select app.isolate('verbatim_topics');

-- The words of each text in their basic form, for the search: row level security rules out
-- full-text indexes.
create table verbatim_words (
  tenant_id uuid not null,
  word text collate "C" not null,
  response_id uuid not null,
  question_id text not null,
  primary key (tenant_id, word, response_id, question_id)
);
create index verbatim_words_of_response on verbatim_words (tenant_id, response_id)
  where response_id >= '00000000-0000-0000-0000-000000000000';
select app.isolate('verbatim_words');

-- Whether texts may go to the language model of the server.
alter table workspaces add column ai jsonb not null default '{"enabled": false}';
