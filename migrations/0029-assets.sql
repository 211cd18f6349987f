-- Pictures of a workspace. Their files are in the object store, at a place that follows from the id.
create table assets (
  tenant_id uuid not null,
  id uuid not null,
  -- Of the content. It is the name in the public address.
  hash text not null,
  type text not null,
  width integer not null,
  height integer not null,
  bytes integer not null,
  alt text,
  created_at timestamptz not null,
  -- When the file and the row go: null while the picture is kept, in an hour while it is being
  -- stored.
  remove_at timestamptz,
  primary key (tenant_id, id)
);
select app.isolate('assets');
create unique index assets_kept on assets (tenant_id, hash) where remove_at is null;
create index assets_leaving on assets (tenant_id, remove_at) where remove_at is not null;
create policy due on assets for select to earshot_system using (true);
grant select (tenant_id, id, remove_at) on assets to earshot_system;

-- Several workspaces may have the same picture.
drop index directory_one_owner;
create unique index directory_one_owner on directory (kind, key)
  where kind not in ('membership', 'asset');
