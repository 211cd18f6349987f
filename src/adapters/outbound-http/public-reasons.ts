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
