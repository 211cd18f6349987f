import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { StorageError, type StoragePort, type StorageReason } from '../../platform/ports/storage-port.ts'

const MOST_LISTED = 1_000
// Waiting bytes are written to the disk together.
const WAITING_BYTES = 1024 * 1024
// Beside the object, so that a list shows what a killed process left.
const UNFINISHED = '.unfinished-'
const REASONS: Record<string, StorageReason> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EACCES: 'denied',
  EPERM: 'denied',
  EROFS: 'denied',
  ENOENT: 'missing',
}

/** Objects as files below a folder. Processes on several machines need a shared one. */
export function createFilesystemStorage(folder: string): StoragePort {
  const pathOf = (key: string) => join(folder, ...key.split('/'))
  return {
    put: (key, body, signal) =>
      explained(async () => {
        const path = pathOf(key)
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        const unfinished = `${path}${UNFINISHED}${randomUUID()}`
        try {
          await pipeline(
            body,
            createWriteStream(unfinished, { mode: 0o600, flush: true, highWaterMark: WAITING_BYTES }),
            {
              ...(signal && { signal }),
            },
          )
          await rename(unfinished, path)
          await flushFolder(dirname(path))
        } catch (error) {
          await rm(unfinished, { force: true })
          throw error
        }
      }),
    read: (key, { from, until }) =>
      explained(async () => {
        await stat(pathOf(key))
        return from >= until ? nothing() : createReadStream(pathOf(key), { start: from, end: until - 1 })
      }),
    list: (prefix) =>
      explained(async () => {
        const start = dirname(pathOf(`${prefix}x`))
        const entries = await readdir(start, { recursive: true, withFileTypes: true }).catch(missingIsEmpty)
        return entries
          .filter((entry) => entry.isFile())
          .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
          .filter((key) => key.startsWith(prefix))
          .sort()
          .slice(0, MOST_LISTED)
      }),
    remove: (keys) =>
      explained(async () => {
        for (const key of keys) await rm(pathOf(key), { force: true })
        const folders = new Set(keys.map((key) => dirname(pathOf(key))))
        // A folder with other objects stays.
        for (const each of folders) await rmdir(each).catch(() => {})
      }),
  }
}

async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    // An error of the body, such as the end of a lease, is not the store's fault.
    if (code === undefined || !('syscall' in (error as object))) throw error
    throw new StorageError(REASONS[code] ?? 'unavailable', error)
  }
}

async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

function missingIsEmpty(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return []
  throw error
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
