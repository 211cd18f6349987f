// Sets the password of an account, for an operator whose server sends no mail.
import { randomBytes } from 'node:crypto'
import { text as readAll } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { replacePassword } from '../src/features/access/password-resets/password-resets.service.ts'
import { NewPassword } from '../src/features/access/users/users.schema.ts'
import { findUserByEmail } from '../src/features/access/users/users.service.ts'
import { openServices, readSettings, withUsage } from './command.ts'

const USAGE = `Usage: npm run password -- --email ada@example.com [--password-stdin]

Sets a new password, and ends all sessions of the account.
  --password-stdin  Reads the password from standard input. Without it, one is made and shown once.`

process.exitCode = await main().catch((error: unknown) => fail(withUsage(error, USAGE)))

async function main(): Promise<number> {
  const given = readArguments()
  if (!given.email) return fail(USAGE)
  const read = given['password-stdin'] ? (await readAll(process.stdin)).split(/\r?\n/, 1)[0] : undefined
  const password = NewPassword.safeParse(read ?? randomBytes(18).toString('base64url'))
  if (!password.success) return fail(password.error.issues.map(({ message }) => message).join('\n'))
  const email = given.email.trim().toLowerCase()
  const services = await openServices(readSettings())
  try {
    return await services.run(async (system) => {
      const user = await findUserByEmail(system, email)
      if (!user) return fail(`No account has the address ${email}. Nothing was changed.`)
      await replacePassword(system, user, password.data)
      process.stdout.write(
        `${user.email} has a new password, and all its sessions have ended.\n` +
          (read === undefined ? `Password, shown this once: ${password.data}\n` : ''),
      )
      return 0
    })
  } finally {
    await services.close()
  }
}

function readArguments() {
  return parseArgs({
    options: { email: { type: 'string' }, 'password-stdin': { type: 'boolean', default: false } },
  }).values
}

function fail(message: string): number {
  process.stderr.write(`${message}\n`)
  return 1
}
