import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { StoragePort } from '../../src/platform/ports/storage-port.ts'
import { MoveError } from './move.ts'

/** Copies every file of a folder into a store, and reads each back. Returns their number. */
export async function moveFiles(folder: string, store: StoragePort): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile() && !entry.name.includes('.unfinished-'))
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name)
    const key = relative(folder, path).split(sep).join('/')
    const { size } = await stat(path)
    await store.put(key, createReadStream(path))
    if ((await hashOf(createReadStream(path))) !== (await hashOf(await store.read(key, { from: 0, until: size }))))
      throw new MoveError(`The file ${key} has other bytes in the store. The database was not moved.`)
  }
  return files.length
}

async function hashOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of body) hash.update(chunk)
  return hash.digest('hex')
}
