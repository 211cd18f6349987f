import { createHash, randomBytes } from 'node:crypto'
import { link, stat, unlink, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

// The path of a Unix socket holds at most 107 bytes. Nine of them tell starters apart.
const LONGEST_PATH = 98
// Two starters may both find a dead socket and replace it. The one that answers after a moment has won.
const SETTLE_MS = 25
const TRIES = 3

export class DirectoryLockedError extends Error {
  constructor(directory: string, owner: string) {
    super(
      `${directory} is in use by another Earshot process${owner ? ` (pid ${owner})` : ''}: stop that one, or give this one a DATA_DIR of its own`,
    )
    this.name = 'DirectoryLockedError'
  }
}

/**
 * Keeps other processes out of a data directory while this one lives. The lock is a listening Unix socket, because the
 * kernel drops it with its process, even after SIGKILL.
 * @throws DirectoryLockedError naming the other process.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const path = socketPath(resolve(directory))
  const token = randomBytes(4).toString('hex')
  // A read-only directory may still hold a socket elsewhere. Find out before anything starts.
  const probe = join(directory, `.writable-${token}`)
  await writeFile(probe, '')
  await unlink(probe)
  // Bound under its own name, because closing a socket removes the name it was bound to, even if another process now
  // owns it.
  const own = `${path}.${token}`
  const server = await listen(own, token)
  try {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const found = await fileAt(path)
      await link(own, path).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      })
      await new Promise((resume) => setTimeout(resume, SETTLE_MS))
      const owner = await ownerOf(path)
      if (owner?.token === token) {
        await unlink(own)
        server.unref()
        return () => release(server, path)
      }
      if (owner) throw new DirectoryLockedError(directory, owner.pid)
      // A dead process left it. If another starter has replaced it meanwhile, it is not ours to remove.
      if (found !== null && found === (await fileAt(path))) await unlink(path).catch(() => {})
    }
    throw new DirectoryLockedError(directory, '')
  } catch (error) {
    server.close()
    throw error
  }
}

async function release(server: Server, path: string): Promise<void> {
  await unlink(path).catch(() => {})
  await new Promise((done) => server.close(done))
}

function socketPath(directory: string): string {
  const inside = join(directory, 'earshot.lock')
  if (Buffer.byteLength(inside) <= LONGEST_PATH) return inside
  return join(tmpdir(), `earshot-${createHash('sha256').update(directory).digest('hex').slice(0, 24)}.lock`)
}

function listen(path: string, token: string): Promise<Server> {
  return new Promise((done, fail) => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.end(`${process.pid} ${token}`)
    })
    server.once('error', fail)
    server.listen(path, () => done(server))
  })
}

function ownerOf(path: string): Promise<{ pid: string; token: string } | null> {
  return new Promise((done) => {
    const socket = connect(path)
    let answer = ''
    socket.setTimeout(1_000, () => socket.destroy())
    socket.on('data', (chunk) => (answer += chunk.toString()))
    socket.on('error', () => done(null))
    socket.on('close', (hadError) => {
      const [pid = '', token = ''] = answer.split(' ')
      if (!hadError) done({ pid, token })
    })
  })
}

// The time as well as the inode, because a file system may reuse an inode at once.
async function fileAt(path: string): Promise<string | null> {
  const file = await stat(path, { bigint: true }).catch(() => null)
  return file && `${file.ino} ${file.ctimeNs}`
}
