-- The newest page of a list whose filter asks for a rare value, or one that nobody has. A walk by id
-- would read every response. These columns are tested within the index.
create index responses_values on responses
  (tenant_id, state, channel, language, metric, band, score, duration_ms) where channel >= '';
create index responses_tagged on responses (tenant_id, id) where tags <> '{}';
create index responses_flagged on responses (tenant_id, id) where quality_flags <> '{}';
create index responses_about on responses (tenant_id, agent_id, id) where agent_id is not null;
