-- What reports may filter and count by: for each day of a survey with rollups, and each fact about its
-- responses, which of them it holds for. No rows for a day that is not over, and none for a day that
-- changed since: those responses are read one by one.
create table report_facts (
  tenant_id uuid not null,
  survey_id uuid not null,
  -- A day in UTC, in parts of 4,096 responses in the order of their recording.
  starts_at timestamptz not null,
  part integer not null,
  -- A JSON array such as ["channel", "web"], as the cells of rollups. ["all"] holds for each response.
  cell text collate "C" not null,
  -- The responses among which a report counts it. Null: it only filters.
  among text check (among in ('all', 'counted', 'completed', 'open')),
  -- Bit n is about the n-th response of the part.
  holds bit varying not null,
  -- Of ["all"]: when each response was recorded.
  recorded timestamptz[],
  primary key (tenant_id, survey_id, cell, starts_at, part)
);
select app.isolate('report_facts', 'select, insert, delete');
-- Tags are words of members, and statistics would keep them after an erasure.
alter table report_facts alter cell set statistics 0;
