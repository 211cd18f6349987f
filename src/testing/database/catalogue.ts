export type Query = <Row>(text: string, values?: unknown[]) => Promise<Row[]>

/** Tables without a tenant. A new table is isolated, or it stands here with a reason. */
export const TABLES_WITHOUT_TENANT: Record<string, string> = {
  users: 'an account may enter several workspaces',
  password_resets: 'asked for before anybody has signed in',
  known_addresses: 'where an account was signed in from; read before a tenant is known',
  sign_in_delays: 'wrong passwords for an account; read before a tenant is known',
  sweeps: 'one election for the whole server',
  rate_limits: 'counters of hashes, read before a tenant is known',
  schema_migrations: 'which files ran',
}

/**
 * Tables whose rows belong to something that people or releases make, and are deleted with it. A new table has a sweep,
 * or a line here.
 */
export const TABLES_THAT_DO_NOT_GROW: Record<string, string> = {
  users: 'one row a person',
  workspaces: 'one row a workspace',
  roles: 'made by people, deleted by people',
  memberships: 'one row a member and workspace',
  api_keys: 'made by people, deleted by people',
  surveys: 'made by people; what was published is archived, not deleted',
  survey_versions: 'one row a publication: answers can be read only by the definition that they were given to',
  quota_counts: 'one row a quota',
  report_surveys: 'one row a survey',
  webhooks: 'made by people, deleted by people, at most 50 a workspace',
  webhook_ledgers: 'one row a workspace',
  webhook_revisions: 'one row a workspace',
  webhook_queue: 'one row an unfinished delivery, deleted by the attempt that ends it',
  webhook_health: 'some rows an hour and webhook; hours older than eight days go with the next write',
  webhook_backfills: 'made by people; those that ended 90 days ago go with the next one',
  webhook_jobs: 'one row a replay or backfill under way, deleted by the batch that ends it',
  suppressions: 'one row a person and channel, which is what has to be remembered',
  suppression_lifts: 'one row a lift, which answers for writing to somebody again',
  email_templates: 'made by people; what a deleted one said stays for what was sent with it',
  email_template_versions: 'one row a change by a person, at most 500 a template',
  assets: 'made by people, deleted by people, at most 10,000 a workspace',
  badges: 'made by people, deleted by people',
  dashboards: 'made by people, deleted by people',
  dashboard_shares: 'made by people, deleted by people',
  reports: 'made by people, deleted by people',
  filter_views: 'made by people, deleted by people',
  filter_view_defaults: 'one row a person and entity',
  short_urls: 'made by people, deleted by people',
  directory: 'one row an identifier, deleted in the transaction that deletes what it leads to',
  inbound_numbers: 'made by people, deleted by people, at most 100 a workspace',
  address_keys: 'one row a workspace',
  notification_subscriptions: 'made by people, deleted by people, at most 100 a member',
  audit_entries: 'one row a change by a person or a program: kept for ever, because a gap would break the chain',
  audit_seals: 'one row an entry of the audit log',
  audit_waiting: 'one row an entry that is not sealed yet, deleted by its seal',
  sweeps: 'one row a sweep',
  schema_migrations: 'one row a migration',
  people: 'one row a person, deleted by members of the workspace and by an erasure',
  people_names: 'deleted with the person',
  segments: 'made by people, deleted by people',
  segment_invitees: 'one row a person who is still to be invited, deleted by the batch that decides',
  agents: 'made by people, at most 10,000 by respondents',
  alert_rules: 'made by people, deleted by people, at most 200 a workspace',
  privacy_requests: 'one row a request of a person, the record that answers for it',
  privacy_found: 'what a request under way has found, deleted when it ends',
  typed_contacts: 'deleted with the row whose text it finds',
  export_templates: 'made by people, deleted by people',
  export_schedules: 'made by people, deleted by people',
  topics: 'made by people, deleted by people, at most 200 a workspace',
  topic_runs: 'one row a workspace',
  verbatim_waiting: 'one row a saved response with texts, deleted once they are indexed',
  verbatims: 'one row a text, deleted with its response',
  verbatim_topics: 'deleted with the text',
  verbatim_words: 'deleted with the text',
}

// Found by identifier before the tenant is known. Its rows still belong to one.
const READ_BEFORE_TENANT = 'directory'

const TENANT_RULE = "(tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)"

const CHECKS: Array<{ says: string; sql: string }> = [
  {
    says: 'has no tenant_id and is not on the list of tables without a tenant',
    sql: `select name from tables where not has_tenant and name <> all($1)`,
  },
  {
    says: 'is on the list of tables without a tenant, but has one or does not exist',
    sql: `select given as name from unnest($1::text[]) as given where not exists (select from tables where name = given and not has_tenant)`,
  },
  {
    says: 'has no row level security, or none for its owner',
    sql: `select name from tables where has_tenant and not (relrowsecurity and relforcerowsecurity)`,
  },
  {
    says: 'lacks the tenant policy of app.isolate()',
    sql: `select name from tables t where has_tenant and not exists (
      select from policies p where p.table_oid = t.oid and p.roles = '{earshot_tenant}' and p.polcmd = '*' and p.polpermissive and p.reads = '${TENANT_RULE.replaceAll("'", "''")}' and p.writes = p.reads)`,
  },
  {
    says: 'has a policy that widens what a tenant, or everybody, may do',
    sql: `select name || '.' || p.polname as name from tables t join policies p on p.table_oid = t.oid
      where has_tenant and p.roles && '{earshot_tenant,public,earshot_app}' and p.polname <> 'tenant'`,
  },
  {
    says: 'lets background work write across tenants',
    sql: `select name || '.' || p.polname as name from tables t join policies p on p.table_oid = t.oid where has_tenant and p.roles && '{earshot_system}' and p.polcmd <> 'r'`,
  },
  {
    says: 'is readable as a whole, or writable, without a tenant',
    sql: `select name from tables t cross join unnest('{select,insert,update,delete,truncate}'::text[]) as privilege
      where has_tenant and has_table_privilege('earshot_system', t.oid, privilege) and not (name = '${READ_BEFORE_TENANT}' and privilege = 'select')`,
  },
  {
    says: 'is open to the session before app.enter()',
    sql: `select name from tables t where name <> 'rate_limits' and has_any_column_privilege('earshot_app', t.oid, 'select, insert, update, references')`,
  },
  {
    says: 'has no tenant, yet is open to tenants',
    sql: `select name from tables t where not has_tenant and has_any_column_privilege('earshot_tenant', t.oid, 'select, insert, update, references')`,
  },
  {
    says: 'may be truncated, triggered or referenced by a tenant',
    sql: `select name from tables t where has_tenant and has_table_privilege('earshot_tenant', t.oid, 'truncate, trigger, references')`,
  },
  {
    says: 'is an index without tenant_id',
    sql: `select i.indexrelid::regclass::text as name from pg_index i join tables t on t.oid = i.indrelid
      where has_tenant and t.name <> '${READ_BEFORE_TENANT}'
        and not exists (select from pg_attribute a where a.attrelid = i.indrelid and a.attnum = any(i.indkey) and a.attname = 'tenant_id')`,
  },
  {
    says: 'has no primary key',
    sql: `select name from tables t where not exists (select from pg_constraint where conrelid = t.oid and contype = 'p')`,
  },
  {
    says: 'is a foreign key that does not lead from tenant_id to tenant_id',
    sql: `select t.name || '.' || c.conname as name from pg_constraint c join tables t on t.oid = c.conrelid
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1] join pg_attribute f on f.attrelid = c.confrelid and f.attnum = c.confkey[1]
      where c.contype = 'f' and (t.has_tenant or exists (select from tables target where target.oid = c.confrelid and target.has_tenant))
        and not (a.attname = 'tenant_id' and f.attname = 'tenant_id')`,
  },
  {
    says: 'is a foreign key that sets columns to null or default, which Citus refuses',
    sql: `select conname as name from pg_constraint where contype = 'f' and (confdeltype in ('n', 'd') or confupdtype in ('n', 'd'))`,
  },
  {
    says: 'has a trigger, which Citus refuses',
    sql: `select t.name || '.' || tgname as name from pg_trigger g join tables t on t.oid = g.tgrelid where not tgisinternal`,
  },
  {
    says: 'is a view that reads with the rights of its owner',
    sql: `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname !~ '^(pg_|information_schema)' and not exists (select from pg_depend e where e.objid = c.oid and e.deptype = 'e')
        and (c.relkind = 'm' or c.relkind = 'v' and not coalesce(c.reloptions, '{}') && '{security_invoker=true,security_invoker=on}')`,
  },
  {
    says: 'is a function that runs with the rights of its owner',
    sql: `select p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname !~ '^(pg_|information_schema)' and p.prosecdef`,
  },
  {
    says: 'is a role with more power than to enter a transaction',
    sql: `select rolname as name from pg_roles where rolname in ('earshot_app', 'earshot_tenant', 'earshot_system') and (rolsuper or rolbypassrls or rolinherit or rolcreaterole or rolcreatedb or rolreplication or not rolcanlogin)`,
  },
  {
    says: 'is a role that owns something',
    sql: `select distinct r.rolname as name from pg_shdepend d join pg_roles r on r.oid = d.refobjid where d.refclassid = 'pg_authid'::regclass and d.deptype = 'o' and r.rolname like 'earshot_%'`,
  },
  {
    says: 'is a membership that reaches too far',
    sql: `select m.rolname || ' in ' || g.rolname as name from pg_auth_members am join pg_roles m on m.oid = am.member join pg_roles g on g.oid = am.roleid
      where m.rolname in ('earshot_app', 'earshot_tenant', 'earshot_system') and not (m.rolname = 'earshot_app' and g.rolname in ('earshot_tenant', 'earshot_system'))`,
  },
]

const CATALOGUE = `with tables as (
  select c.oid, c.relname::text as name, c.relrowsecurity, c.relforcerowsecurity,
    exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped) as has_tenant
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'f') and n.nspname !~ '^(pg_|information_schema)'
), policies as (
  select p.polrelid as table_oid, p.polname::text, p.polcmd, p.polpermissive, pg_get_expr(p.polqual, p.polrelid) as reads, pg_get_expr(p.polwithcheck, p.polrelid) as writes,
    array(select case when role = 0 then 'public' else (select rolname::text from pg_roles where oid = role) end from unnest(p.polroles) as role) as roles
  from pg_policy p
)`

/** The gaps in a schema's tenant isolation or Citus rules. Empty if there are none. */
export async function isolationGaps(query: Query): Promise<string[]> {
  const gaps: string[] = []
  for (const { says, sql } of CHECKS) {
    const rows = await query<{ name: string }>(
      `${CATALOGUE} ${sql}`,
      sql.includes('$1') ? [Object.keys(TABLES_WITHOUT_TENANT)] : [],
    )
    gaps.push(...rows.map((row) => `${row.name} ${says}`))
  }
  return gaps
}

/** The tables whose rows belong to a tenant. */
export async function tenantTables(query: Query): Promise<string[]> {
  const rows = await query<{ name: string }>(`${CATALOGUE} select name from tables where has_tenant order by name`)
  return rows.map((row) => row.name)
}

/** Tables that may grow without end, appear twice in the lists, or do not exist. */
export async function growthGaps(query: Query, bounded: string[]): Promise<string[]> {
  const tables = (await query<{ name: string }>(`${CATALOGUE} select name from tables order by name`)).map(
    (row) => row.name,
  )
  const named = [...bounded, ...Object.keys(TABLES_THAT_DO_NOT_GROW)]
  return [
    ...tables
      .filter((table) => !named.includes(table))
      .map((table) => `${table} has no retention and is not on the list of tables that do not grow`),
    ...named.filter((table) => !tables.includes(table)).map((table) => `${table} does not exist`),
    ...named.filter((table, i) => named.indexOf(table) !== i).map((table) => `${table} is named twice`),
  ]
}

/** Tables with text in which nothing is personal to the people that surveys ask. */
export const TABLES_WITHOUT_PERSONAL_DATA: Record<string, string> = {
  changes: 'ids of things, for ten minutes',
  download_tickets: 'paths with ids, and hashes of tokens',
  dashboards: 'what members ask of the data, as in segments',
  dashboard_shares: 'hashes of tokens and passwords of links',
  reports: 'names by members, and ids',
  report_runs: 'figures of at least 5 responses each, sealed, for 90 days',
  filter_views: 'what members ask of the data, as in segments',
  filter_view_defaults: 'ids and the names of lists',
  users: 'an account belongs to no workspace, and its person changes or closes it',
  password_resets: 'of an account, for an hour; asked for before a workspace is known',
  known_addresses: 'keyed hashes of accounts',
  sign_in_delays: 'keyed hashes of accounts',
  workspaces: 'settings of the workspace itself',
  roles: 'names that members give',
  sessions: 'hashes of tokens of accounts',
  api_keys: 'names that members give, and hashes',
  directory: 'ids and hashes that lead to a workspace',
  survey_embeds: 'addresses of websites, and nothing of their visitors',
  sweeps: 'names and times of background work',
  rate_limits: 'hashes and ids',
  schema_migrations: 'names of files',
  surveys: 'questions that members write',
  survey_versions: 'questions that members write',
  quota_counts: 'names of quotas, and counts',
  webhooks: 'places and secrets of systems',
  webhook_deliveries: 'ids, times and codes; the content is that of the event',
  webhook_health: 'ids, hours and counts',
  webhook_backfills: 'ids, times and counts',
  webhook_jobs: 'ids and times',
  webhook_ledger_counts: 'names of events, and counts',
  webhook_ledger_changes: 'names of events, and ids',
  notification_subscriptions: 'settings of members',
  notifications: 'ids of events and members',
  survey_deliveries: 'survey, channel and time, without the recipient',
  provider_messages: 'ids that providers gave to their callbacks',
  report_rollups: 'counts of answers, without words',
  report_facts: 'which responses of a day have a value; an erasure takes the day, and the next sweep makes it anew',
  address_keys: 'a sealed key',
  invitations: 'settings, counts and a name that members give; the people are in sends',
  segments: 'names and filters that members write',
  export_schedules: 'times and time zones',
  export_parts: 'sizes and checksums of files',
  email_templates: 'names that members give',
  email_template_versions: 'letters that members write',
  assets: 'pictures that members choose, and their words about them',
  badges: 'settings that members make',
  short_urls: 'links that members make',
  inbound_numbers: 'numbers of the workspace',
  audit_entries: 'ids of members, and paths whose values cannot be personal',
  audit_seals: 'hashes of entries',
  alert_rules: 'settings of members',
  privacy_requests: 'sealed until the request ends, and counts afterwards',
  privacy_found: 'sealed ids of rows, deleted when the request ends',
  topics: 'words that members choose',
  verbatim_topics: 'ids of topics and questions',
}

interface PersonalParts {
  stores?: Array<{ table: string; columns: string[] }>
  more?: Record<string, string[]>
}

/** `table.column` of all declared personal data. */
export function personalColumns(declared: PersonalParts[]): string[] {
  return declared.flatMap(({ stores = [], more = {} }) => [
    ...stores.flatMap(({ table, columns }) => columns.map((name) => (name.includes('.') ? name : `${table}.${name}`))),
    ...Object.entries(more).flatMap(([table, names]) => names.map((name) => `${table}.${name}`)),
  ])
}

/** Tables with text that are neither declared nor on the list above, and declarations of what does not exist. */
export async function personalGaps(query: Query, declared: PersonalParts[]): Promise<string[]> {
  const rows = await query<{ name: string; columns: string[]; texts: boolean }>(
    `${CATALOGUE} select t.name, array_agg(a.attname::text) as columns,
       bool_or(format_type(a.atttypid, null) ~ '^(text|json|character)') as texts
     from tables t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped group by t.name order by t.name`,
  )
  const existing = new Set(rows.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column}`)))
  const named = personalColumns(declared)
  const known = new Set([
    ...named.map((column) => column.slice(0, column.indexOf('.'))),
    ...Object.keys(TABLES_WITHOUT_PERSONAL_DATA),
  ])
  return [
    ...rows
      .filter(({ name, texts }) => texts && !known.has(name))
      .map(({ name }) => `${name} holds text, and nobody says whether it is personal`),
    ...named.filter((column) => !existing.has(column)).map((column) => `${column} is declared and does not exist`),
    ...Object.keys(TABLES_WITHOUT_PERSONAL_DATA)
      .filter((table) => !rows.some(({ name }) => name === table))
      .map((table) => `${table} does not exist`),
  ]
}
