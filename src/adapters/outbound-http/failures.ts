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

// Names of private networks. Nobody may learn whether one exists (RFC 6761, RFC 6762, RFC 8375, ICANN).
const PRIVATE_NAMES =
  /(^[^.]*|\.(local|localhost|internal|intranet|private|corp|home|lan|home\.arpa|svc|consul|test|onion))$/

const TLS_REASONS: Record<string, string> = {
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate was issued by an authority that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'the chain of certificates is not complete',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the chain of certificates is not complete',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the chain of certificates is not complete',
}

/**
 * The reason why a connection to only public addresses failed, for the person who chose them. Null if it is unknown.
 */
export function connectReason(code: string): string | null {
  if (code === 'ECONNREFUSED') return 'The address refused the connection.'
  const tls =
    TLS_REASONS[code] ?? (/CERT|SSL|TLS|^EPROTO$/.test(code) ? 'the target offers no TLS that Earshot accepts' : null)
  return tls && `TLS failed: ${tls}.`
}

/** The reason why a name was not found. Null for a name that may be private. */
export function lookupReason(code: string, name: string): string | null {
  return /^(ENOTFOUND|ENODATA)$/.test(code) && !PRIVATE_NAMES.test(name) ? 'The host name is unknown.' : null
}
