interface HeaderMeaning {
  description: string
  pattern?: string
  maxLength?: number
}

/** Every header that a handler may read, and what the reference says of it. A route names those that it reads. */
export const HEADERS = {
  accept: { description: '`text/html` asks for a page where the answer could also be a problem.' },
  'accept-language': { description: 'The languages of the reader, as in RFC 9110, such as `de-AT, en;q=0.8`.' },
  'content-type': { description: 'The media type of the body.' },
  'if-match': {
    description: 'The `ETag` of the survey as it was read. Where it has changed since, the answer is 412.',
  },
  purpose: { description: '`prefetch` where nobody has looked yet; such a visit is not counted.' },
  'sec-purpose': { description: '`prefetch` where nobody has looked yet; such a visit is not counted.' },
  'svix-id': { description: 'The id of the message, which is part of what is signed.', maxLength: 255 },
  'svix-timestamp': { description: 'Unix seconds, which are part of what is signed.', pattern: '^\\d{1,12}$' },
  'svix-signature': { description: 'Signatures separated by spaces, each `v1,` and base64 of an HMAC-SHA256.' },
  'user-agent': { description: 'Visits of known programs are not counted.' },
  'webhook-id': { description: 'The same as `svix-id`, by its standard name.', maxLength: 255 },
  'webhook-timestamp': { description: 'The same as `svix-timestamp`, by its standard name.', pattern: '^\\d{1,12}$' },
  'webhook-signature': { description: 'The same as `svix-signature`, by its standard name.' },
  'x-twilio-signature': {
    description: 'Base64 of an HMAC-SHA1 over the address and the sorted parameters, keyed with TWILIO_AUTH_TOKEN.',
  },
} satisfies Record<string, HeaderMeaning>

export type HeaderName = keyof typeof HEADERS

/** Headers that the middleware reads for every route. */
export const COMMON_HEADERS = [
  'authorization',
  'content-length',
  'idempotency-key',
  'origin',
  'user-agent',
  'x-forwarded-for',
  'host',
]
