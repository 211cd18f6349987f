import { z } from 'zod'
import { instant, instantUntil } from '../../../../platform/instant.ts'

export const ReplayMany = z
  .strictObject({
    webhook_id: z.string().max(60).optional(),
    event: z.string().max(60).optional(),
    since: instant.optional(),
    until: instantUntil.optional(),
  })
  .meta({ id: 'ReplayDeliveries' })

export const Queued = z
  .object({ queued: z.number().int().describe('How many deliveries will be sent.') })
  .meta({ id: 'Queued' })
