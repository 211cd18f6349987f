import type { Socket } from 'node:net'
import pg from 'pg'
import { serialize } from 'pg-protocol'

// `ReadyForQuery`, outside a transaction.
const READY = Buffer.from('Z\0\0\0\x05I')

/** Runs `COPY … TO STDOUT` and reads all of it, without a look at what it holds. Returns milliseconds. */
export async function copyToClient(url: string, text: string): Promise<number> {
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
