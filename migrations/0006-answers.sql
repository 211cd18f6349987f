-- No foreign key to the survey: its check would lock one row for every respondent, and a survey
-- that was ever published is never deleted. None to the person: an erased person leaves the
-- response behind.
create table responses (
  tenant_id uuid not null,
  id uuid not null,
  survey_id uuid not null,
  survey_version integer not null,
  state text not null check (state in (
    'started', 'partial', 'completed', 'screened_out', 'over_quota', 'quarantined', 'deleted'
  )),
  -- Of a quarantined response: the state that a release leads to.
  held_state text,
  channel text not null,
  language text not null,
  answers jsonb not null,
  -- The respondent's own words, never in `answers`.
  text jsonb not null,
  custom_data jsonb not null,
  -- The order in which shuffled choices and rows were shown, by question. Null if nothing was
  -- shuffled.
  orders jsonb,
  -- Question ids that the respondent met, in order. An unfinished response stopped at the last.
  path text[] not null,
  metric text,
  score integer,
  band text,
  agent_id uuid,
  -- Of an invited response.
  person_id uuid,
  started_at timestamptz not null,
  -- When the respondent finished, whatever the outcome.
  completed_at timestamptz,
  -- Where a report places it in time.
  recorded_at timestamptz generated always as (coalesce(completed_at, started_at)) stored,
  duration_ms bigint,
  tags text[] not null,
  notes jsonb not null,
  quality_flags text[] not null,
  -- Hash of the device, contact or token that may answer once.
  dedupe_key text,
  -- Quotas that it counts in.
  quotas text[] not null,
  -- Whether an event published its completion, for example before it was quarantined. Retention
  -- removes the event, and a release after that must not publish it as a new one.
  published boolean not null default false,
  -- Null for a survey that is not anonymous. Otherwise a response is 'held' until enough others
  -- wait, and then 'counted'. Figures show other rows in its place: a 'figure' for each response of
  -- a group, and a 'part' for answers that waited longer than the rest of their response.
  anonymity text constraint responses_anonymity
    check (anonymity in ('held', 'counted', 'figure', 'part')),
  -- The day of its group.
  counted_on timestamptz,
  -- The questions whose answers figures do not show yet. Null until its figure is made.
  uncounted text[],
  -- When its person was erased. Its score is still counted.
  erased_at timestamptz,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
create index responses_of_survey on responses (tenant_id, survey_id, id)
  where survey_id >= '00000000-0000-0000-0000-000000000000';
create unique index responses_once on responses (tenant_id, survey_id, dedupe_key)
  where dedupe_key is not null and completed_at is not null;
create index responses_report on responses (tenant_id, survey_id, recorded_at)
  include (state, metric, score) where recorded_at >= '-infinity';
create index responses_of_people on responses (tenant_id, person_id)
  where person_id is not null;
create index responses_held on responses (tenant_id, survey_id, id) where anonymity = 'held';
create index responses_uncounted on responses (tenant_id, survey_id)
  where anonymity = 'counted' and uncounted is distinct from '{}';
create index responses_unpublished on responses (tenant_id, survey_id, completed_at)
  where anonymity in ('held', 'counted') and not published;
-- Leaderboards and scorecards read scores from here alone.
create index responses_of_agent on responses (tenant_id, agent_id, metric, completed_at)
  include (survey_id, score) where agent_id is not null and state = 'completed';
-- Dashboards count by these columns alone, without the rows.
create index responses_figures on responses (tenant_id, recorded_at)
  include (
    survey_id, state, metric, score, channel, language, band, agent_id, duration_ms, anonymity)
  where recorded_at <= 'infinity';
-- The newest page of a list whose filter asks for a rare value, or for a value without responses. A
-- walk by id would read every response. PostgreSQL tests these columns within the index.
create index responses_values on responses
  (tenant_id, state, channel, language, metric, band, score, duration_ms) where channel >= '';
create index responses_tagged on responses (tenant_id, id) where tags <> '{}';
create index responses_flagged on responses (tenant_id, id) where quality_flags <> '{}';
create index responses_about on responses (tenant_id, agent_id, id) where agent_id is not null;
-- A list of responses that began long ago. A walk by id would read every response since.
create index responses_started on responses (tenant_id, started_at) where started_at <= 'infinity';
-- Lists in the order of the score, of which many responses have the same: the newest of them first,
-- from the lowest and from the highest.
create index responses_by_score on responses (tenant_id, score, id) where score is not null;
create index responses_by_low_score on responses (tenant_id, score desc, id)
  where score is not null;
create index responses_by_duration on responses (tenant_id, duration_ms)
  where duration_ms is not null;
select app.isolate('responses');
create policy age on responses for select to earshot_system using (true);
grant select (tenant_id, id, completed_at, published, anonymity) on responses to earshot_system;

-- How far the rollups of a survey reach. The row exists once a report met more responses than are
-- quickly counted.
create table report_surveys (
  tenant_id uuid not null,
  survey_id uuid not null,
  -- A transaction that writes a response recorded before this moment marks its quarter of an hour.
  sealed_until timestamptz not null,
  -- A transaction number. Once every earlier transaction has ended, all open ones know the seal.
  barrier bigint,
  rolled_until timestamptz not null,
  next_at timestamptz not null,
  primary key (tenant_id, survey_id)
);
create index report_surveys_due on report_surveys (tenant_id, next_at) where next_at >= '-infinity';
select app.isolate('report_surveys', 'select, insert, update');
create policy due on report_surveys for select to earshot_system using (true);
grant select (tenant_id, next_at) on report_surveys to earshot_system;

-- Counts of the responses recorded in a quarter of an hour, or in a day in UTC. No row means none.
create table report_rollups (
  tenant_id uuid not null,
  survey_id uuid not null,
  minutes integer not null check (minutes in (15, 1440)),
  starts_at timestamptz not null,
  -- For the trend: neither quarantined nor deleted; completed; and how often each score of the
  -- scale was given.
  responses integer not null,
  completed integer not null,
  nps integer[],
  csat integer[],
  ces integer[],
  -- Everything else: cell -> count.
  counts jsonb not null,
  primary key (tenant_id, survey_id, minutes, starts_at)
)
-- `counts` is stored beside the table and the scores within it, so that a trend reads a tenth of
-- the pages.
with (toast_tuple_target = 128);
alter table report_rollups
  alter nps set storage plain, alter csat set storage plain, alter ces set storage plain;
select app.isolate('report_rollups', 'select, insert, delete');

-- Quarters whose rollup no longer counts its responses as they are. Writers only append, so that
-- none waits for another.
create table report_marks (
  tenant_id uuid not null,
  survey_id uuid not null,
  id uuid not null,
  starts_at timestamptz not null,
  primary key (tenant_id, survey_id, id)
);
create index report_marks_of_time on report_marks (tenant_id, survey_id, starts_at);
select app.isolate('report_marks', 'select, insert, delete');

-- Facts by which reports may filter and count: for each day of a survey with rollups, and each fact
-- about its responses, the responses for which it holds. A day that is not over, or that changed
-- since, has no rows: its responses are read one by one.
create table report_facts (
  tenant_id uuid not null,
  survey_id uuid not null,
  -- A day in UTC, in parts of 4,096 responses in the order of their recording.
  starts_at timestamptz not null,
  part integer not null,
  -- A JSON array such as ["channel", "web"], as the cells of rollups. ["all"] holds for each
  -- response. Letters have a fact ["trigrams"] for each block of 128 responses.
  cell text collate "C" not null,
  -- The responses among which a report counts it. Null: it only filters.
  among text check (among in ('all', 'counted', 'completed', 'open')),
  -- Bit n is about the n-th response of the part.
  holds bit varying not null,
  -- Of ["all"]: when each response was recorded. Of a block of letters: the first and the last
  -- moment.
  recorded timestamptz[],
  -- Of a block of letters: the lowest and the highest id, empty for a day without responses. If it
  -- is null, the facts are made anew.
  ids uuid[],
  primary key (tenant_id, survey_id, cell, starts_at, part)
);
select app.isolate('report_facts', 'select, insert, delete');

-- Subjects of texts, found by words that members choose. The first look adds starter topics.
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

-- Facts about a text. The text itself stays in its response.
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
  -- When the language model is asked next. A claim moves it to the end of its lease. Null: nothing
  -- to ask.
  model_at timestamptz,
  -- How often it was asked without a usable answer.
  model_tries smallint not null default 0,
  -- Whether its answer emits a signal. Not for old texts, which are read again after a change of a
  -- topic.
  model_tells boolean not null default false,
  primary key (tenant_id, response_id, question_id)
);
create index verbatims_of_time on verbatims (tenant_id, completed_at)
  include (survey_id, sentiment_score) where completed_at >= '-infinity';
create index verbatims_of_feeling
  on verbatims (tenant_id, sentiment_score, response_id, question_id)
  where sentiment_score >= -1;
create index verbatims_unread on verbatims (tenant_id, model_at) where model_at >= '-infinity';
select app.isolate('verbatims');
create policy due on verbatims for select to earshot_system using (true);
grant select (tenant_id, model_at) on verbatims to earshot_system;

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

-- Requests to send responses again, of a survey since a time or of named ones: how far each has
-- come, and whether under new event ids. Its job is in webhook_jobs under the same id.
create table webhook_backfills (
  tenant_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  survey_id uuid,
  since timestamptz,
  response_ids uuid[],
  until timestamptz not null,
  event_ids text not null check (event_ids in ('same', 'new')),
  -- Responses, at its start and handled so far.
  total integer not null,
  done integer not null default 0,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (tenant_id, id)
);
select app.isolate('webhook_backfills');

-- The websites whose pages asked for the rules of a survey, so that its makers see that it is in
-- place. Of an anonymous survey both times are days.
create table survey_embeds (
  tenant_id uuid not null,
  id uuid not null,
  survey_id uuid not null,
  origin text not null,
  mode text not null check (mode in ('inline', 'popup', 'slide_in', 'button', 'full')),
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, survey_id, origin, mode)
);
select app.isolate('survey_embeds');
create policy age on survey_embeds for select to earshot_system using (true);
grant select (tenant_id, id) on survey_embeds to earshot_system;
