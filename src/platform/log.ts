import pino from 'pino'

export type Log = pino.Logger
export type LogLevel = 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'

// A second fence: values of these names never reach a line, whatever logs them.
const REDACTED = ['secret', 'token', 'password', 'authorization', 'email', 'phone', 'answers', 'text'].flatMap(
  (name) => [name, `*.${name}`, `*.*.${name}`],
)

export function createLog(level: LogLevel, destination?: pino.DestinationStream): Log {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: REDACTED, censor: '[redacted]' },
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: serializeError },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** Name, code, message and stack; never `detail`, in which PostgreSQL quotes row values. */
export function serializeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error))
    return { message: typeof error === 'object' ? 'something was thrown that is no error' : String(error) }
  const code = 'code' in error ? error.code : undefined
  return { name: error.name, code, message: error.message, stack: error.stack }
}
