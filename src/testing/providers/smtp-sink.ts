import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export interface SinkMessage {
  from: string
  to: string[]
  /** The raw message, with `\r\n`. */
  raw: string
  /** Unfolded header lines by lower-case name. The last one of a name wins. */
  headers: Record<string, string>
}

export interface SmtpSink {
  /** For `SMTP_URL`. */
  url: string
  messages: SinkMessage[]
  /** Connections since its start. */
  connections: number
  /** Refuses with a reply such as 550 or 451 at this step. Null accepts everything. */
  refuse: { at: 'rcpt' | 'mail' | 'data'; code: number } | null
  /** Awaited after each message was stored and before it is answered. */
  hold: Promise<void> | null
  close(): Promise<void>
}

interface SinkOptions {
  user?: string
  password?: string
  smtpUtf8?: boolean
}

/** A real SMTP server on a free port that keeps its messages. With a user it demands a login. */
export async function startSmtpSink({ user, password = '', smtpUtf8 = true }: SinkOptions = {}): Promise<SmtpSink> {
  const sink: SmtpSink = { url: '', messages: [], connections: 0, refuse: null, hold: null, close: async () => {} }
  const refusal = (at: 'rcpt' | 'mail' | 'data', who = '') =>
    sink.refuse?.at === at
      ? Object.assign(new Error(`${who} is refused in words that name them`), { responseCode: sink.refuse.code })
      : null
  const server = new SMTPServer({
    authOptional: user === undefined,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    hideSMTPUTF8: !smtpUtf8,
    onConnect(_session, done) {
      sink.connections += 1
      done()
    },
    onAuth(auth, _session, done) {
      if (auth.username === user && auth.password === password) done(null, { user })
      else done(Object.assign(new Error('Invalid login'), { responseCode: 535 }))
    },
    onMailFrom: ({ address }, _session, done) => done(refusal('mail', address)),
    onRcptTo({ address }, _session, done) {
      // The library only hides the extension. A real server without it refuses such a name.
      const foreign = !smtpUtf8 && /[^\x20-\x7e]/.test(address.split('@')[0] ?? '')
      done(
        foreign
          ? Object.assign(new Error('Mailbox name not allowed'), { responseCode: 553 })
          : refusal('rcpt', address),
      )
    },
    onData(stream, session, done) {
      void text(stream).then(async (raw) => {
        const { mailFrom, rcptTo } = session.envelope
        const to = rcptTo.map(({ address }) => address)
        const refused = refusal('data', to[0])
        if (refused) return done(refused)
        sink.messages.push({ from: mailFrom ? mailFrom.address : '', to, raw, headers: headersOf(raw) })
        await sink.hold
        done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.server.address() as AddressInfo
  sink.url = `smtp://${user === undefined ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`}127.0.0.1:${port}`
  sink.close = () => new Promise((resolve) => server.close(resolve))
  return sink
}

function headersOf(raw: string): Record<string, string> {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ')
  return Object.fromEntries(
    head.split('\r\n').map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
}
