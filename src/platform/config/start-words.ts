import { resolve } from 'node:path'
import { ConfigError, type Config } from './config.ts'
import { createLog, type Log } from './log.ts'

const UNWRITABLE = new Set(['EACCES', 'EROFS', 'EPERM', 'ENOTDIR', 'EEXIST', 'ENOSPC'])

const NO_SUCH_HOST = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL', 'EAFNOSUPPORT'])

/** The process cannot listen where its settings say. */
export class ListenError extends Error {
  constructor(cause: NodeJS.ErrnoException, host: string, port: number, setting: 'PORT' | 'WORKER_PORT') {
    super(whyNotListening(cause, host, port, setting), { cause })
    this.name = 'ListenError'
  }
}

/** Says where the process listens. Its database may still be away. */
export function announce(config: Config, port: number | null, log: Log): void {
  const at = port === null ? null : `http://localhost:${port}`
  const line =
    config.role === 'worker'
      ? `An Earshot worker is running on ${databaseOf(config)}${at ? `, with probes and metrics at ${at}` : ''}.`
      : `Earshot is listening at ${at}, and prepares ${databaseOf(config)}.`
  if (config.production) log.info(line)
  else process.stdout.write(`${line}\n`)
}

/** Says what can be done now. */
export function welcome(config: Config, port: number | null, log: Log, hasWorkspaces: boolean): void {
  if (port === null || config.role === 'worker') return
  const base = config.publicBaseUrl ?? `http://localhost:${port}`
  const first = hasWorkspaces ? null : firstWorkspaceOf(config, base)
  if (config.production)
    return log.info(
      { console: `${base}/app`, docs: `${base}/docs`, ...(first !== null && { firstWorkspace: first }) },
      `Earshot is ready at ${base}.`,
    )
  const lines = [
    `Earshot is ready at ${base}.`,
    `  Console         ${base}/app`,
    `  API reference   ${base}/docs`,
    ...(first === null ? [] : [`  First workspace ${first}`]),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** Says why the process ends: to a person, and in production to programs. */
export function complain(error: unknown, { ENVIRONMENT }: Record<string, string | undefined>): void {
  if (ENVIRONMENT !== 'production') return void process.stderr.write(`${explain(error)}\n`)
  const problems = error instanceof ConfigError ? { problems: error.problems } : {}
  createLog('fatal', process.stderr).fatal(problems, explain(error))
}

function firstWorkspaceOf(config: Config, base: string): string {
  if (config.signups === 'open')
    return `curl -X POST ${base}/public/workspaces -H 'content-type: application/json' -d '{"workspace_name":"Acme","name":"Ada","email":"ada@example.com","password":"a long password"}'`
  const command = 'npm run bootstrap -- --email ada@example.com --workspace Acme'
  return config.database.kind === 'pglite' ? `${command} (stop this server first)` : command
}

/** Names the database without its user and password. */
export function databaseOf({ database, dataDir }: Config): string {
  if (database.kind === 'pglite') return `the embedded database in ${resolve(dataDir)}`
  const { host, pathname, searchParams } = new URL(database.url.reveal())
  const at = host || searchParams.get('host')
  const name = pathname.slice(1)
  return `PostgreSQL${name && `, database ${name}`}${at ? ` at ${at}` : ''}`
}

function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message
  if (!(error instanceof Error)) return `Earshot cannot start: ${String(error)}`
  const code = 'code' in error ? error.code : undefined
  const { path } = error as { path?: string }
  if (typeof code === 'string' && UNWRITABLE.has(code))
    return `Earshot cannot start: ${path ?? 'the data directory'} cannot be written. Give this user write access, or set DATA_DIR to another directory.`
  return `Earshot cannot start: ${error.message}`
}

function whyNotListening(
  { code = '', message }: NodeJS.ErrnoException,
  host: string,
  port: number,
  setting: string,
): string {
  if (code === 'EADDRINUSE')
    return `port ${port} is in use (HOST is ${host}). Stop the program that holds it, or set ${setting} to another.`
  if (code === 'EACCES') return `port ${port} needs more rights (HOST is ${host}). Set ${setting} to one above 1023.`
  if (NO_SUCH_HOST.has(code))
    return `this machine does not have the address ${host}. Set HOST to one that it has, or to 0.0.0.0 for all (${setting} is ${port}).`
  return `nothing can listen there: ${message}. Check HOST and ${setting}.`
}
