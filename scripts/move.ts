// Moves the embedded database of DATA_DIR, and its files, to the PostgreSQL of DATABASE_URL and to STORAGE. The source
// stays as it is.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { DirectoryLockedError } from '../src/adapters/pglite/directory-lock.ts'
import { createPgliteDatabase } from '../src/adapters/pglite/pglite.ts'
import { createStorage } from '../src/adapters/storage/storage.ts'
import { parseConfig } from '../src/platform/config/config.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { createSecretBox } from '../src/platform/config/secrets.ts'
import { openServices, withUsage } from './command.ts'
import { moveFiles } from './move/files.ts'
import { listKeysOf, move } from './move/move.ts'

const USAGE = `Usage: DATABASE_URL=postgres://… npm run move -- --from ./data

Moves the embedded database in this folder to PostgreSQL. Stop the server first.`

process.exitCode = await main().catch((error: unknown) => fail(withUsage(error, USAGE)))

async function main(): Promise<number> {
  const folder = parseArgs({ options: { from: { type: 'string' } } }).values.from
  if (!folder) return fail(USAGE)
  const config = parseConfig(process.env)
  if (config.database.kind !== 'pg')
    return fail(`Set DATABASE_URL to the PostgreSQL that the data moves to.\n\n${USAGE}`)
  const staysThere = config.storage.kind === 'filesystem' && resolve(config.dataDir) === resolve(folder)
  if (!existsSync(join(folder, 'pglite'))) return fail(`${folder} has no embedded database.`)
  if (config.secretsKeys === null && resolve(config.dataDir) !== resolve(folder))
    return fail(`Set SECRETS_KEY to the content of ${join(folder, 'secrets.key')}, or DATA_DIR to ${folder}.`)
  const source = await createPgliteDatabase({ dataDir: folder }).catch((error: unknown) => {
    throw error instanceof DirectoryLockedError ? new Error(`${folder} is in use. Stop its server first.`) : error
  })
  try {
    await migrate(source)
    const services = await openServices(config)
    try {
      await migrate(services.database)
      const boxes = config.secretsKeys?.map((key) => createSecretBox([key])) ?? [services.secrets]
      const ours = new Set(boxes.map((box) => box.seal('', 'which key seals').split('.')[1]))
      const lacking = [...(await listKeysOf(source))].filter((key) => !ours.has(key))
      if (lacking.length > 0)
        return fail(
          `SECRETS_KEY does not open what the embedded database holds. Its key is in ${join(folder, 'secrets.key')}, or in the SECRETS_KEY of its server. Add it to SECRETS_KEY.`,
        )
      const files = staysThere ? null : await moveFiles(join(folder, 'objects'), createStorage(config))
      const moved = await move(source, services.database)
      const rows = moved.reduce((sum, table) => sum + table.rows, 0)
      process.stdout.write(
        `Moved and compared: ${rows} rows of ${moved.filter((table) => table.rows > 0).length} tables${files === null ? '' : `, and ${files} files`}.\n` +
          (files === null ? `Files of exports and pictures stay in ${join(folder, 'objects')}: keep DATA_DIR.\n` : '') +
          (config.secretsKeys === null
            ? `Keep ${join(folder, 'secrets.key')}, or set SECRETS_KEY to its content.\n`
            : '') +
          'Start Earshot with these settings. Remove the embedded database once all is well.\n',
      )
      return 0
    } finally {
      await services.close()
    }
  } finally {
    await source.close()
  }
}

function fail(message: string): number {
  process.stderr.write(`${message}\n`)
  return 1
}
