-- Websites that may show the surveys of a workspace in a frame. None means every website.
alter table workspaces add column embed_origins text[] not null default '{}';
