import type { EmailMessage, EmailPort } from '../platform/ports/email-port.ts'
import type { TestServer } from './harness.ts'

export interface RecordingEmail {
  sent: EmailMessage[]
  /** Thrown by every send while it is set. */
  failWith: Error | null
  /** Every send to this address fails while it is set. */
  failFor: string | null
  /** Every send waits for it while it is set. */
  hold: Promise<void> | null
  /** Sends so far, those that wait among them. */
  begun: number
}

const recordings = new WeakMap<TestServer, RecordingEmail>()

/** Replaces a server's email port by one that keeps its messages. A second call returns the same one. */
export function recordEmail(server: TestServer): RecordingEmail {
  const known = recordings.get(server)
  if (known) return known
  const recording: RecordingEmail = { sent: [], failWith: null, failFor: null, hold: null, begun: 0 }
  const port: EmailPort = {
    async send(message) {
      recording.begun += 1
      if (recording.hold) await recording.hold
      if (recording.failWith) throw recording.failWith
      if (message.to === recording.failFor) throw new Error('the test lets this address fail')
      recording.sent.push(message)
      return { providerId: message.idempotencyKey }
    },
  }
  Object.assign(server.services.factories, { email: () => port })
  recordings.set(server, recording)
  return recording
}

/** Runs something while the provider does this with each message. */
export async function whileProvider(
  server: TestServer,
  send: (message: EmailMessage) => Promise<{ providerId: string }>,
  work: () => Promise<unknown>,
): Promise<void> {
  const before = server.services.factories.email
  Object.assign(server.services.factories, { email: () => ({ send }) })
  try {
    await work()
  } finally {
    Object.assign(server.services.factories, { email: before })
  }
}
