-- The order in which shuffled choices and rows were shown, by question. Null if nothing was shuffled.
alter table responses add column orders jsonb;
