-- Retention finds what is old by the primary keys, whose ids are in the order of their making: tables as busy
-- as the ledger get no index for it. Background work sees which tenants have something, and since when.
-- The tables stand in the order in which requests take them, so that an older process is made to wait, never deadlocked.
create index member_invitations_end on member_invitations (tenant_id, expires_at);
create policy sweep on member_invitations for select to earshot_system using (true);
grant select (tenant_id, expires_at) on member_invitations to earshot_system;

create policy age on responses for select to earshot_system using (true);
grant select (tenant_id, id) on responses to earshot_system;

create policy age on events for select to earshot_system using (true);
grant select (tenant_id, id) on events to earshot_system;

create policy age on webhook_attempts for select to earshot_system using (true);
grant select (tenant_id, delivery_id) on webhook_attempts to earshot_system;

grant select (id, created_at) on outgoing_emails to earshot_system;
grant delete on outgoing_emails to earshot_tenant;

-- What a workspace wants for itself is read for all of them at once.
grant select (retention) on workspaces to earshot_system;

grant select (created_at) on webhook_jobs to earshot_system;
