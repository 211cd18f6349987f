import { execFile } from 'node:child_process'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { serialize } from 'pg-protocol'

// `ReadyForQuery`, outside a transaction.
const READY = Buffer.from('Z\0\0\0\x05I')

// In a process of its own, so that its buffers are no memory of the export:
// `node bench/parts/copy.ts <url> <statement>`.
if (import.meta.main) {
  const [url = '', text = ''] = process.argv.slice(2)
  process.stdout.write(`${await copyHere(url, text)}\n`)
}

/** Runs `COPY … TO STDOUT` and reads all of it, without a look at what it holds. Returns milliseconds. */
export async function copyToClient(url: string, text: string): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url), url, text])
  return Number(stdout)
}

async function copyHere(url: string, text: string): Promise<number> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  stream.removeAllListeners('data')
  const started = performance.now()
  await new Promise<void>((resolve) => {
    stream.on('data', (chunk: Buffer) => {
      if (chunk.subarray(-READY.byteLength).equals(READY)) resolve()
    })
    stream.write(serialize.query(text))
  })
  const ms = performance.now() - started
  stream.destroy()
  return ms
}
