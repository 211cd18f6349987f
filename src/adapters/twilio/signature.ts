import { createHmac, timingSafeEqual } from 'node:crypto'
import { parse, stringify } from 'node:querystring'

/** A request as it arrived: its URL is compared byte for byte, so it must not have passed through a parser. */
export interface SignedRequest {
  /** Scheme and host that the provider was given, then path and query as received. */
  url: string
  parameters: URLSearchParams
  signature: string | undefined
}

/**
 * Whether Twilio signed this request: HMAC-SHA1 over the URL and the parameters in the order of their names, each value
 * of a repeated one once and sorted (https://www.twilio.com/docs/usage/security#validating-requests). Twilio signs the
 * default port with some requests and without it with others, and some of its parts escape a quote in the query: all
 * count.
 */
export function isSignedByTwilio(authToken: string, { url, parameters, signature = '' }: SignedRequest): boolean {
  const given = Buffer.from(signature)
  if (given.length !== SIGNATURE_LENGTH || parameters.size > MOST_PARAMETERS) return false
  const tail = parametersText(parameters)
  let matches = false
  for (const candidate of signedForms(url)) {
    const expected = Buffer.from(createHmac('sha1', authToken).update(candidate).update(tail).digest('base64'))
    // Every form is compared, so that the time shows nothing about which one was close.
    if (timingSafeEqual(given, expected)) matches = true
  }
  return matches
}

// A SHA-1 in base64.
const SIGNATURE_LENGTH = 28
// Anybody can post a form, before it is known who did. A form of Twilio has about thirty.
const MOST_PARAMETERS = 500

function parametersText(parameters: URLSearchParams): string {
  return [...Map.groupBy(parameters, ([name]) => name)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, pairs]) =>
      [...new Set(pairs.map(([, value]) => value))]
        .sort()
        .map((value) => name + value)
        .join(''),
    )
    .join('')
}

function signedForms(url: string): Set<string> {
  const parsed = URL.canParse(url) ? new URL(url).href : url
  const forms = [...portForms(url), ...portForms(parsed)]
  return new Set([...forms, ...portForms(parsed).map(withEscapedQuery)])
}

/** With the scheme's own port, and without it; any other port stands as it is. */
function portForms(url: string): string[] {
  const match = /^(https?:\/\/)([^/?#]*?)(:\d+)?(?=[/?#]|$)(.*)$/is.exec(url)
  if (!match) return [url]
  const [, scheme = '', host = '', port, rest = ''] = match
  const own = scheme.toLowerCase() === 'https://' ? ':443' : ':80'
  return port === undefined || port === own ? [scheme + host + rest, scheme + host + own + rest] : [url]
}

// Those parts of Twilio wrote a query as Node's own module does.
function withEscapedQuery(url: string): string {
  const at = url.indexOf('?')
  return at === -1 || at === url.length - 1 ? url : `${url.slice(0, at)}?${stringify(parse(url.slice(at + 1)))}`
}
