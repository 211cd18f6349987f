const MOST = 40
const LONGEST_VALUE = 200
const MASKED = '***'

// Headers that servers and proxies write about themselves.
const TECHNICAL = new Set(
  (
    'accept-ranges age allow alt-svc cache-control connection content-encoding content-length content-type date ' +
    'expires keep-alive last-modified etag nel pragma retry-after server server-timing strict-transport-security ' +
    'transfer-encoding upgrade vary via x-cache x-content-type-options x-frame-options x-powered-by'
  ).split(' '),
)
const SECRET = /auth|cookie|token|secret|session|key|signature|password|credential|csrf|nonce|jwt/
// Such as `v1.4.2`, `iad1::x7k2q` or `ok`. A longer run of digits may be a phone number.
const PLAIN = /^(?!.*\d{7})[A-Za-z0-9][A-Za-z0-9._:/-]{0,63}$/

/**
 * The headers of an answer for the log, as JSON: the values of technical ones, and plain words of the others. Cookies,
 * tokens and everything that a person may have written are masked.
 */
export function loggedHeaders(headers: Record<string, string | string[] | undefined>): string {
  const logged: Record<string, string> = {}
  for (const [name, given] of Object.entries(headers).slice(0, MOST)) {
    const lower = name.toLowerCase().slice(0, 100)
    const value = (Array.isArray(given) ? given.join(', ') : (given ?? '')).slice(0, LONGEST_VALUE)
    const isShown = !SECRET.test(lower) && (TECHNICAL.has(lower) || PLAIN.test(value))
    logged[lower] = isShown ? value.replaceAll('\0', '') : MASKED
  }
  return JSON.stringify(logged)
}
