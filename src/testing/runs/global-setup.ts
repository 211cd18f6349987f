import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { createPgDatabase } from '../../adapters/postgres/postgres.ts'
import { createLog } from '../../platform/config/log.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { Secret } from '../../platform/config/secrets.ts'
import { ensureBuilt } from '../process.ts'
import { closeToSessions, createOnNodes, dropOnNodes, listNodes, query } from '../database/databases.ts'
import { memoryFolder, serverAt, startPostgres } from '../database/postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
    /** Every node of the cluster, the coordinator first, or the one server. */
    nodeUrls: string[]
    templateDatabase: string
    /** For files of the tests. It goes with the run. */
    folder: string
  }
}

/**
 * One server for the whole run, or the cluster of CLUSTER_DATABASE_URL, and one migrated template for each test file to
 * clone.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  ensureBuilt()
  const cluster = process.env['CLUSTER_DATABASE_URL']
  const server = cluster ? serverAt(cluster) : await startPostgres(undefined, memoryFolder())
  const nodes = cluster ? await listNodes(cluster) : [server.url('postgres')]
  const template = `earshot_template_${process.pid}`
  await createOnNodes(nodes, template, cluster ? 'template0' : 'template1')
  const url = new Secret(server.url(template))
  const database = createPgDatabase({
    url,
    migrationUrl: url,
    poolSize: 2,
    connection: 'pool',
    log: createLog('silent'),
  })
  await migrate(database)
  await database.close()
  if (cluster) await closeToSessions(nodes, template)
  project.provide('postgresUrl', server.url('postgres'))
  project.provide('nodeUrls', nodes)
  project.provide('templateDatabase', template)
  const folder = await mkdtemp(join(memoryFolder(), 'earshot-tests-'))
  project.provide('folder', folder)
  return async () => {
    await rm(folder, { recursive: true })
    await dropDatabases(nodes, `earshot_%_${process.pid}%`)
    await server.stop()
  }
}

async function dropDatabases(nodes: string[], pattern: string): Promise<void> {
  const [first = ''] = nodes
  const found = await query<{ datname: string }>(
    first,
    `select datname from pg_database where datname like '${pattern}'`,
  )
  for (const { datname } of found) await dropOnNodes(nodes, datname)
}
