-- A list by when responses began, long ago. A walk by id would read every response since.
create index responses_started on responses (tenant_id, started_at) where started_at <= 'infinity';
