import { pascal, type Document, type Schema } from './schema.ts'

/** An event as the catalogue lists it. */
export interface Event {
  name: string
  description: string
  schema: Record<string, unknown>
  example: Record<string, unknown>
}

const SIGNED = {
  'X-VOC-Timestamp': 'Unix seconds of this attempt.',
  'X-VOC-Signature':
    '`v1=` and the HMAC-SHA256, in lower-case hex, of `<timestamp>.<body>`. The key is the whole secret string.',
  'webhook-id': 'The id of the delivery.',
  'webhook-timestamp': 'Unix seconds of this attempt.',
  'webhook-signature': 'Signatures of Standard Webhooks, separated by spaces: `v1,` and an HMAC-SHA256 in base64.',
}

/** The requests that Earshot sends to webhooks, one for each event. */
export function addEvents(document: Document, events: Event[]): void {
  document.webhooks = Object.fromEntries(
    events.map(({ name, description, schema: whole, example }) => {
      const { $schema: _, ...schema } = whole
      const shape = `${pascal(name)}Event`
      document.components.schemas[shape] = schema as Schema
      const content = { 'application/json': { schema: { $ref: `#/components/schemas/${shape}` }, example } }
      return [
        name,
        {
          post: {
            operationId: `on${pascal(name)}`,
            summary: `Receive \`${name}\``,
            description,
            tags: ['Webhooks'],
            security: [],
            parameters: Object.entries(SIGNED).map(([header, meaning]) => ({
              name: header,
              in: 'header',
              required: true,
              description: meaning,
              schema: { type: 'string' },
            })),
            requestBody: { required: true, content },
            responses: { '2XX': { description: 'The event was received. Any other answer is tried again.' } },
          },
        },
      ]
    }),
  )
}
