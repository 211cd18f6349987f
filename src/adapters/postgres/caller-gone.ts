import pg from 'pg'
import { CallerGoneError } from '../../platform/database/database-adapter.ts'

const MOST_MS = 5_000

/** The parts of pg's client and connection that this file uses. */
interface Running {
  host: string
  port: number
  ssl: unknown
  processID: number
  secretKey: number
}
interface Wire {
  connect(port: number | string, host?: string): void
  cancel(processId: number, secretKey: number): void
  on(event: string, done: () => void): void
  stream: { destroy(): void }
}
const Connection = (pg as unknown as { Connection: new (settings: { ssl: unknown }) => Wire }).Connection

/**
 * Ends the running statement of a look-up when its caller has gone. The connection is not used again, because the end
 * could come late, for a statement of somebody else.
 * @param discard marks the connection as used up.
 * @throws CallerGoneError
 */
export async function whileAwaited<T>(
  gone: AbortSignal,
  client: pg.ClientBase,
  discard: () => void,
  work: () => Promise<T>,
): Promise<T> {
  if (gone.aborted) throw new CallerGoneError()
  const end = () => {
    discard()
    cancel(client as unknown as Running)
  }
  gone.addEventListener('abort', end, { once: true })
  try {
    return await work()
  } catch (error) {
    throw gone.aborted ? new CallerGoneError(error) : error
  } finally {
    gone.removeEventListener('abort', end)
  }
}

/** PostgreSQL takes the request over a connection that it closes then. Without it the statement has its usual time. */
function cancel({ host, port, ssl, processID, secretKey }: Running): void {
  const wire = new Connection({ ssl })
  const late = setTimeout(() => wire.stream.destroy(), MOST_MS)
  const send = () => wire.cancel(processID, secretKey)
  for (const ready of ['connect', 'sslconnect']) wire.on(ready, send)
  for (const over of ['end', 'error']) wire.on(over, () => clearTimeout(late))
  if (host.startsWith('/')) wire.connect(`${host}/.s.PGSQL.${port}`)
  else wire.connect(port, host)
}
