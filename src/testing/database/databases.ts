import pg from 'pg'

// Few, because a test opens many databases and fills none.
const SHARDS = 4

/**
 * Creates a database on one server, or on every node of a cluster, the coordinator first.
 * @param template an empty or a migrated database. A migrated one is copied with its shards and their places.
 */
export async function createOnNodes(nodeUrls: string[], name: string, template: string): Promise<void> {
  await onEach(nodeUrls, `create database ${name} template ${template}`)
  if (nodeUrls.length === 1) return
  await onEach(nodeUrls.slice(0, 1), `alter database ${name} set citus.enable_stat_counters = on`)
  if (template !== 'template0') return
  await onEach(
    nodeUrls.map((url) => databaseAt(url, name)),
    'create extension citus',
  )
  const [coordinator = '', ...workers] = nodeUrls
  const { hostname, port } = new URL(coordinator)
  await onEach(
    [databaseAt(coordinator, name)],
    `alter database ${name} set citus.shard_count = ${SHARDS}`,
    `select citus_set_coordinator_host('${hostname}', ${port || 5432})`,
    ...workers.map((url) => `select citus_add_node('${new URL(url).hostname}', ${new URL(url).port || 5432})`),
  )
}

export async function dropOnNodes(nodeUrls: string[], name: string): Promise<void> {
  // Citus opens its own connection again at once, which may be between the end of the others and the drop.
  if (nodeUrls.length > 1)
    await onEach(nodeUrls, `update pg_database set datallowconn = false where datname = '${name}'`)
  await onEach(nodeUrls, `drop database if exists ${name} with (force)`)
}

/** Lets nobody in, so that it can be copied: Citus keeps a connection of its own to each database. */
export async function closeToSessions(nodeUrls: string[], name: string): Promise<void> {
  await onEach(
    nodeUrls,
    `alter database ${name} allow_connections false`,
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`,
  )
}

/** The admin URLs of a cluster's nodes, as its coordinator knows them. Only the coordinator's for plain PostgreSQL. */
export async function listNodes(coordinatorUrl: string): Promise<string[]> {
  const rows = await query<{ nodename: string; nodeport: number }>(
    coordinatorUrl,
    'select nodename, nodeport from pg_dist_node where groupid > 0 and isactive order by groupid',
  )
  return [
    coordinatorUrl,
    ...rows.map(({ nodename, nodeport }) => {
      const url = new URL(coordinatorUrl)
      url.hostname = nodename
      url.port = String(nodeport)
      return url.toString()
    }),
  ]
}

export function databaseAt(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.toString()
}

export async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

async function onEach(urls: string[], ...statements: string[]): Promise<void> {
  for (const url of urls) for (const statement of statements) await query(url, statement)
}
