// Makes a workspace, its owner and an API key in one command. A second run changes nothing, and says what exists.
import { randomBytes } from 'node:crypto'
import { text as readAll } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { CreateWorkspace } from '../src/features/access/sign-up/sign-up.schema.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { bootstrap, type Bootstrapped } from './bootstrap/bootstrap.ts'
import { databaseOf } from '../src/platform/config/start-words.ts'
import { explain, openServices, readSettings, withUsage } from './command.ts'

const USAGE = `Usage: npm run bootstrap -- --email ada@example.com --workspace "Acme" [--name "Ada"] [--password-stdin] [--json]

Makes the workspace, its owner and an API key with every permission. A second run changes nothing.
  --password-stdin  Reads the owner's password from standard input. Without it, one is made and shown once.
  --json            Prints one JSON object.`

process.exitCode = await main().catch((error: unknown) => fail(withUsage(error, USAGE)))

async function main(): Promise<number> {
  const given = readArguments()
  if (!given) return fail(USAGE)
  const { email = '', workspace = '', name, json } = given
  const password = given['password-stdin'] ? (await readAll(process.stdin)).split(/\r?\n/, 1)[0] : undefined
  const made = randomBytes(18).toString('base64url')
  const order = CreateWorkspace.safeParse({
    workspace_name: workspace,
    name: name ?? email.split('@', 1)[0],
    email,
    password: password ?? made,
  })
  if (!order.success)
    return fail(order.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'))
  const config = readSettings()
  const database = databaseOf(config)
  const services = await openServices(config)
  let hasAccount = false
  try {
    await migrate(services.database)
    const done = await bootstrap(services, order.data, () => (hasAccount = true))
    const shown = done.user.created && password === undefined ? made : null
    process.stdout.write(
      json ? `${JSON.stringify({ ...asJson(done, shown), database })}\n` : tell(done, shown, database),
    )
    return 0
  } catch (error) {
    if (!hasAccount) throw error
    const shown = password === undefined ? ` Its password, shown this once: ${made}` : ''
    process.stderr.write(`The account ${email} was made, but not all of its workspace.${shown}\n${explain(error)}\n`)
    return 1
  } finally {
    await services.close()
  }
}

function readArguments() {
  const { values } = parseArgs({
    options: {
      email: { type: 'string' },
      workspace: { type: 'string' },
      name: { type: 'string' },
      json: { type: 'boolean', default: false },
      'password-stdin': { type: 'boolean', default: false },
    },
  })
  return values.email && values.workspace ? values : null
}

function asJson({ workspace, user, key }: Bootstrapped, password: string | null): object {
  return { workspace, user: { ...user, ...(password !== null && { password }) }, api_key: key }
}

function tell({ workspace, user, key }: Bootstrapped, password: string | null, database: string): string {
  const lines = [
    `Database: ${database}`,
    `${workspace.created ? 'Made' : 'Exists'}: the workspace ${workspace.name} (${workspace.id})`,
    `${user.created ? 'Made' : 'Exists'}: the account ${user.email} (${user.id})`,
    ...(password === null ? [] : [`Password, shown this once: ${password}`]),
    key
      ? `API key with every permission, shown this once: ${key.key}`
      : 'Nothing was changed. To get an API key, sign in (POST /public/sessions) and make one (POST /v1/api-keys).',
  ]
  return `${lines.join('\n')}\n`
}

function fail(reason: string): number {
  const text = /^Usage|cannot start|\nUsage/.test(reason) ? reason : `Nothing was made: ${reason}`
  process.stderr.write(`${text}\n`)
  return 1
}
