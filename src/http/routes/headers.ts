import { contentTag } from '../../platform/etag.ts'
import type { AppContext } from '../context.ts'

interface HeaderMeaning {
  description: string
  pattern?: string
  maxLength?: number
}

/** All headers that handlers may read, with their description. A route names the ones that it reads. */
export const HEADERS = {
  accept: { description: '`text/html` asks for a page in place of a JSON problem.' },
  'accept-language': { description: 'The reader’s languages (RFC 9110), such as `de-AT, en;q=0.8`.' },
  'accept-encoding': { description: 'The compressions that the caller reads: `br`, `gzip`.' },
  'content-type': { description: 'The media type of the body.' },
  'if-match': {
    description: 'The `ETag` of the thing that you read. If it has changed since, the answer is 412.',
  },
  'if-none-match': { description: 'The `ETag` of an earlier answer. If nothing has changed, the answer is 304.' },
  'if-range': { description: 'An `ETag`. If the file has changed since, the answer is the whole file.' },
  'last-event-id': { description: 'The `id` of the last event that you got. The stream goes on after it.' },
  purpose: { description: '`prefetch` if nobody has looked yet. Such a visit is not counted.' },
  range: { description: 'One range of bytes (RFC 9110), such as `bytes=0-1023`.' },
  referer: { description: 'The website that embeds the survey. Only its origin is read.' },
  'sec-fetch-site': { description: '`same-origin`: a page of this server, which is not noted as a website.' },
  'sec-fetch-dest': { description: 'Set by browsers: what asks for the file, such as `iframe`.' },
  'sec-purpose': { description: '`prefetch` if nobody has looked yet. Such a visit is not counted.' },
  'svix-id': { description: 'The id of the message. It is signed too.', maxLength: 255 },
  'svix-timestamp': { description: 'The time in Unix seconds. It is signed too.', pattern: '^\\d{1,12}$' },
  'svix-signature': { description: 'Signatures separated by spaces. Each is `v1,` and an HMAC-SHA256 in base64.' },
  'user-agent': { description: 'Visits of known programs are not counted.' },
  'webhook-id': { description: 'The standard name of `svix-id`.', maxLength: 255 },
  'webhook-timestamp': { description: 'The standard name of `svix-timestamp`.', pattern: '^\\d{1,12}$' },
  'webhook-signature': { description: 'The standard name of `svix-signature`.' },
  'x-twilio-signature': {
    description: 'An HMAC-SHA1 of the address and the sorted parameters, in base64. The key is TWILIO_AUTH_TOKEN.',
  },
} satisfies Record<string, HeaderMeaning>

export type HeaderName = keyof typeof HEADERS

/** Headers that the middleware reads for every route. */
export const COMMON_HEADERS = [
  'accept-encoding',
  'authorization',
  'content-length',
  'idempotency-key',
  'origin',
  'user-agent',
  'x-forwarded-for',
  'host',
]

/** For the reference: what a route answers to a stale `If-Match`. */
export const STALE = { 412: '`stale`: `If-Match` is not the current `ETag`.' }

/** Sends a resource with its `ETag`, which is new for each change of what the resource shows. */
export function tagged<Shown extends object>(c: AppContext, shown: Shown): Shown {
  c.header('ETag', contentTag(shown))
  return shown
}
