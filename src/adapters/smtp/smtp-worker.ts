import { parentPort, workerData } from 'node:worker_threads'
import { createTransport } from 'nodemailer'

/** A checked message, as nodemailer takes it. */
export interface Mail {
  from: { name: string; address: string }
  to: { name: string; address: string }
  subject: string
  text: string
  html?: string
  attachments?: Array<{ filename: string; contentType: string; cid?: string; content: string; encoding: 'base64' }>
  replyTo?: { name: string; address: string }
  headers: Record<string, string>
  messageId: string
}

/** An order of the host. */
export type Order = { kind: 'send'; number: number; mail: Mail } | { kind: 'close' }

/** The `workerData`. */
export interface Settings {
  url: string
  connections: number
}

/** A failure, without its message: servers quote recipients in it. */
export interface Fault {
  /** The message never left this process. */
  posted?: false
  code?: string
  responseCode?: number
  command?: string
}

export interface Answer {
  number: number
  /** Null once the server has taken the message. */
  fault: Fault | null
}

// Each is shorter than the time after which another dispatcher may send the same message.
const CONNECT_MS = 10_000
const ANSWER_MS = 30_000

const { url, connections } = workerData as Settings
const transport = createTransport({
  url,
  pool: true,
  maxConnections: connections,
  maxMessages: Infinity,
  connectionTimeout: CONNECT_MS,
  greetingTimeout: CONNECT_MS,
  socketTimeout: ANSWER_MS,
  disableFileAccess: true,
  disableUrlAccess: true,
})

parentPort?.on('message', (order: Order) => {
  if (order.kind === 'close') {
    transport.close()
    // The thread ends with the last message that is under way.
    parentPort?.unref()
    return
  }
  const { number, mail } = order
  transport.sendMail(mail, (error) =>
    parentPort?.postMessage({ number, fault: error ? faultOf(error) : null } satisfies Answer),
  )
})

function faultOf(error: unknown): Fault {
  const { code, responseCode, command } = error as { code?: unknown; responseCode?: unknown; command?: unknown }
  return {
    ...(typeof code === 'string' && { code }),
    ...(typeof responseCode === 'number' && { responseCode }),
    ...(typeof command === 'string' && { command }),
  }
}
