const MOST = 40
const LONGEST_VALUE = 200
const MASKED = '***'

// Headers that servers and proxies write about themselves.
const TECHNICAL = new Set(
  (
    'accept-ranges age allow alt-svc cache-control connection content-encoding content-length content-type date ' +
    'expires keep-alive last-modified etag nel pragma retry-after server server-timing strict-transport-security ' +
    'transfer-encoding upgrade vary via x-cache x-content-type-options x-frame-options x-powered-by ' +
    'x-request-id x-correlation-id x-amzn-requestid x-vercel-id cf-ray'
  ).split(' '),
)

/**
 * The headers of an answer for the log, as JSON. Only technical ones keep their value, so that the log holds no secret
 * and nothing that a person wrote.
 */
export function loggedHeaders(headers: Record<string, string | string[] | undefined>): string {
  const logged: Record<string, string> = {}
  for (const [name, given] of Object.entries(headers).slice(0, MOST)) {
    const lower = name.toLowerCase().slice(0, 100)
    const value = (Array.isArray(given) ? given.join(', ') : (given ?? '')).slice(0, LONGEST_VALUE)
    logged[lower] = TECHNICAL.has(lower) ? value.replaceAll('\0', '') : MASKED
  }
  return JSON.stringify(logged)
}
