// Our pages need no feature of the device, and do not show other sites where a reader came from.
const DEFAULTS = {
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  'Referrer-Policy': 'no-referrer',
}

/** Adds to an answer with a page the headers that it does not set by itself. */
export function addPageHeaders(headers: Headers): void {
  if (!/^text\/html\b/i.test(headers.get('content-type') ?? '')) return
  for (const [name, value] of Object.entries(DEFAULTS)) if (!headers.has(name)) headers.set(name, value)
}
