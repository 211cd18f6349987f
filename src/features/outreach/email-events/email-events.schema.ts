import { z } from 'zod'

// The bytes of a callback are signed, so they pass by what otherwise refuses text that PostgreSQL cannot hold.
const text = z
  .string()
  .min(1)
  .max(1_000)
  .refine((value) => !value.includes('\0') && value.isWellFormed())
const tagValue = z.union([z.string(), z.number(), z.boolean(), z.null()])

/** An event as Resend sends it (https://resend.com/docs/dashboard/webhooks/event-types); members that are not named here do not matter. */
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
        .describe('`voc_delivery` leads to the send even before its provider id is known.'),
      bounce: z.object({ message: z.string().optional(), type: z.string().optional(), subType: z.string().optional() }).nullish(),
    }),
  })
  .meta({ id: 'EmailEvent' })

/** Any event at all: of those that do not matter, the type is enough. */
export const AnyEvent = z.object({ type: text })

export const EmailEventReceipt = z.object({ received: z.literal(true) }).meta({ id: 'EmailEventReceipt' })
