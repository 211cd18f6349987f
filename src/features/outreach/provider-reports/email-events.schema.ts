import { z } from 'zod'

export const EmailEventReceipt = z.object({ received: z.literal(true) }).meta({ id: 'EmailEventReceipt' })
