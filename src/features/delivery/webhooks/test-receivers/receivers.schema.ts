import { z } from 'zod'
import { pageOf } from '../../../../http/routes/pagination.ts'

const answer = z
  .number()
  .int()
  .min(200)
  .max(599)
  .describe('The status with which it answers each delivery. Default: 200.')

export const TestReceiver = z
  .object({
    id: z.string(),
    url: z.string().describe('The address for a webhook of this workspace. Everybody else gets 404 there.'),
    answer,
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime().describe('One hour after it was made. Then its requests go and its webhooks stop.'),
  })
  .meta({ id: 'TestReceiver' })

export const CreateTestReceiver = z.strictObject({ answer: answer.default(200) }).meta({ id: 'CreateTestReceiver' })

export const UpdateTestReceiver = z.strictObject({ answer }).meta({ id: 'UpdateTestReceiver' })

export const ReceivedRequest = z
  .object({
    n: z.number().int().describe('Counts the requests of this receiver from 1.'),
    at: z.iso.datetime().describe('For an anonymous survey: the start of the day.'),
    method: z.string(),
    headers: z
      .record(z.string(), z.string())
      .describe(
        'As sent. The values of the webhook’s own headers are masked. For an anonymous survey without signature.',
      ),
    body: z.string().describe('The exact text that was signed.'),
    delivery_id: z.string(),
    attempt: z.number().int().describe('The number of the attempt in the `attempt_log` of the delivery.'),
    answered: z.number().int().describe('The status that it answered.'),
    verified: z
      .object({ voc: z.boolean(), standard: z.boolean() })
      .nullable()
      .describe('Whether both signatures fit the body. Null for a webhook without a secret.'),
  })
  .meta({ id: 'ReceivedRequest' })

export const ReceivedRequests = pageOf(ReceivedRequest)
