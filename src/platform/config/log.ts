import pino from 'pino'

export type Log = pino.Logger
export type LogLevel = 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'

// A second safeguard: values with these names never reach the log.
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

/** Returns name, code, message and stack. Leaves out `detail`, because PostgreSQL quotes row values in it. */
export function serializeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error))
    return { message: typeof error === 'object' ? 'something other than an error was thrown' : String(error) }
  const code = 'code' in error ? error.code : undefined
  return { name: error.name, code, message: error.message, stack: error.stack }
}
