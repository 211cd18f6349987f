import { z } from 'zod'

/** The tag under which Resend hands back `EmailMessage.tag`. */
export const VOC_DELIVERY = 'voc_delivery'

/** The headers of a signed callback, by Svix's names and by those of Standard Webhooks. */
export const SIGNATURE_HEADERS = [
  'svix-id',
  'svix-timestamp',
  'svix-signature',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
] as const

// The bytes of a callback are signed, so the usual refusal of text that PostgreSQL cannot hold has not seen them.
const text = z
  .string()
  .min(1)
  .max(1_000)
  .refine((value) => !value.includes('\0') && value.isWellFormed())
const tagValue = z.union([z.string(), z.number(), z.boolean(), z.null()])

/**
 * An event as Resend sends it (https://resend.com/docs/dashboard/webhooks/event-types), without the members that do not
 * matter.
 */
export const EmailEvent = z
  .object({
    type: text,
    created_at: z.string().max(64).optional(),
    data: z.object({
      email_id: text,
      to: z.array(z.string().max(1_000)).max(1_000).optional(),
      tags: z
        .union([z.record(z.string(), tagValue), z.array(z.object({ name: z.string(), value: tagValue }))])
        .nullish()
        .describe('`voc_delivery` identifies the send even before its provider id is known.'),
      bounce: z
        .object({ message: z.string().optional(), type: z.string().optional(), subType: z.string().optional() })
        .nullish(),
    }),
  })
  .meta({ id: 'EmailEvent' })

/** Any event: where the type does not matter, the rest does not either. */
export const AnyEvent = z.object({ type: text })
