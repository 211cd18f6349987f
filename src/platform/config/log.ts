import pino, { type DestinationStream } from 'pino'

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

interface Output {
  write(text: string): unknown
}

const RESET = '\u001b[0m'
const COLOURS = { dim: '\u001b[2m', red: '\u001b[31m', green: '\u001b[32m', yellow: '\u001b[33m', cyan: '\u001b[36m' }
const LEVELS: Record<string, keyof typeof COLOURS> = {
  fatal: 'red',
  error: 'red',
  warn: 'yellow',
  info: 'cyan',
  debug: 'dim',
  trace: 'dim',
}

/** Turns the JSON log into one line an entry for a terminal. The stack of an error follows its line. */
export function linesForPeople(output: Output, { colours }: { colours: boolean }): DestinationStream {
  const paint = (colour: keyof typeof COLOURS, text: string) => (colours ? `${COLOURS[colour]}${text}${RESET}` : text)
  return {
    write(line) {
      const { level = 'info', time = '', msg = '', err, ...rest } = JSON.parse(line) as Entry
      const clock = paint('dim', time.slice(11, 19))
      if (msg === 'request' && rest['status'] !== undefined)
        return void output.write(`${clock} ${requestLine(rest, paint)}\n`)
      const details = Object.entries(rest).map(([name, value]) =>
        name === 'file' ? String(value) : `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`,
      )
      const label = level === 'info' ? '' : `${level.toUpperCase()} `
      const stack = err?.stack ?? (err ? [err.name, err.code, err.message].filter(Boolean).join(' ') : undefined)
      output.write(
        `${clock} ${paint(LEVELS[level] ?? 'cyan', `${label}${msg}`)}${details.length > 0 ? `  ${details.join(' ')}` : ''}${stack ? `\n${stack}` : ''}\n`,
      )
    },
  }
}

interface Entry extends Record<string, unknown> {
  level?: string
  time?: string
  msg?: string
  err?: { name?: string; code?: string; message?: string; stack?: string }
}

function requestLine(
  entry: Record<string, unknown>,
  paint: (colour: keyof typeof COLOURS, text: string) => string,
): string {
  const status = Number(entry['status'])
  const colour = status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green'
  return `${String(entry['method']).padEnd(6)} ${entry['path'] ?? entry['route']} ${paint(colour, String(status))} ${paint('dim', `${entry['ms']} ms`)}`
}
