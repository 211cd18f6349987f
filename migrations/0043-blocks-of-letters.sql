-- Letters are noted for each 128 responses of a day instead of all of it. The fact ["trigrams"] of such a block has the
-- first and the last moment in `recorded`, and the lowest and the highest id here. Empty for a day without responses.
-- Null in facts of an earlier version, which are made anew.
alter table report_facts add column ids uuid[];
