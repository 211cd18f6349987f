import pg from 'pg'
import { createPgDatabase } from '../../adapters/postgres/postgres.ts'
import { createLog } from '../../platform/config/log.ts'
import { migrate, type Migration } from '../../platform/database/migrate.ts'
import { Secret } from '../../platform/config/secrets.ts'
import { createDatabase } from '../harness.ts'

/** A database of its own that exactly these migrations have made. */
export async function openVersion(files: Migration[]) {
  const { url, drop } = await createDatabase()
  const secret = new Secret(url)
  const migrateTo = async (target: Migration[]) => {
    const options = {
      url: secret,
      migrationUrl: secret,
      poolSize: 1,
      connection: 'pool',
      log: createLog('silent'),
    } as const
    const database = createPgDatabase(options)
    await migrate(database, target)
    await database.close()
  }
  await migrateTo(files)
  return {
    url,
    drop,
    migrateTo,
    async asOwner<T>(work: (owner: pg.Client) => Promise<T>): Promise<T> {
      const owner = new pg.Client({ connectionString: url })
      await owner.connect()
      try {
        return await work(owner)
      } finally {
        await owner.end()
      }
    },
  }
}
