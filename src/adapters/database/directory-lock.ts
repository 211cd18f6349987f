import { createHash } from 'node:crypto'
import { stat, unlink, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

// A Unix socket's path holds at most 107 bytes.
const LONGEST_PATH = 100
const SETTLE_MS = 25
const TRIES = 3

export class DirectoryLockedError extends Error {
  constructor(directory: string, owner: string) {
    super(`${directory} is in use by another Earshot process${owner ? ` (pid ${owner})` : ''}: stop that one, or give this one a DATA_DIR of its own`)
    this.name = 'DirectoryLockedError'
  }
}

/**
 * Keeps a second process out of a data directory for as long as this one lives. The lock is a
 * listening Unix socket, because the kernel drops it with its process, SIGKILL included.
 * @throws DirectoryLockedError naming the other process.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const path = socketPath(resolve(directory))
  // A read-only directory may still hold a socket elsewhere; find out before anything starts.
  const probe = join(directory, '.writable')
  await writeFile(probe, '')
  await unlink(probe)
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const server = await listen(path)
    if (server && (await stillOurs(path))) {
      server.unref()
      return () => new Promise((done) => server.close(() => done()))
    }
    const owner = await ownerOf(path)
    if (owner !== null) throw new DirectoryLockedError(directory, owner)
    await unlink(path).catch(() => {})
  }
  throw new DirectoryLockedError(directory, '')
}

function socketPath(directory: string): string {
  const inside = join(directory, 'earshot.lock')
  if (Buffer.byteLength(inside) <= LONGEST_PATH) return inside
  return join(tmpdir(), `earshot-${createHash('sha256').update(directory).digest('hex').slice(0, 24)}.lock`)
}

function listen(path: string): Promise<Server | null> {
  return new Promise((done, fail) => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.end(String(process.pid))
    })
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? done(null) : fail(error)))
    server.listen(path, () => done(server))
  })
}

// Two starters may both find a dead socket and replace it: whoever's file is left after a moment has won.
async function stillOurs(path: string): Promise<boolean> {
  const before = await stat(path).catch(() => null)
  await new Promise((resume) => setTimeout(resume, SETTLE_MS))
  const after = await stat(path).catch(() => null)
  return before !== null && after !== null && before.ino === after.ino
}

function ownerOf(path: string): Promise<string | null> {
  return new Promise((done) => {
    const socket = connect(path)
    let pid = ''
    socket.setTimeout(1_000, () => socket.destroy())
    socket.on('data', (chunk) => (pid += chunk.toString()))
    socket.on('error', () => done(null))
    socket.on('close', (hadError) => {
      if (!hadError) done(pid)
    })
  })
}
