import { BlockedUrlError, OutboundError } from '../../platform/ports/ports.ts'

const MESSAGES: Array<[RegExp, string]> = [
  [/^ENOTFOUND|^EAI_/, 'the name does not resolve'],
  [/^ECONNREFUSED/, 'the connection was refused'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)/, 'the connection was closed before an answer came'],
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)/, 'the connection took too long'],
  [/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/, 'the TLS certificate was not accepted'],
  [/^(EHOSTUNREACH|ENETUNREACH)/, 'the host cannot be reached'],
  [/^HPE_|^UND_ERR_|^HTTPParserError/, 'the answer is not valid HTTP'],
]

// Only our own words leave this folder, because an errno's text contains addresses.
export function outboundError(error: unknown, reasonOf: (error: Error) => string | null): Error {
  if (error instanceof BlockedUrlError || error instanceof OutboundError) return error
  const code = codeOf(error)
  const message = MESSAGES.find(([pattern]) => pattern.test(code))?.[1] ?? 'the request failed'
  return new OutboundError('network', message, error instanceof Error ? reasonOf(error) : null)
}

export function codeOf(error: unknown): string {
  // An answer that is not HTTP has no code.
  return error instanceof Error ? ('code' in error ? String(error.code) : error.name) : ''
}
