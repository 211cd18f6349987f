import { z } from 'zod'
import { TOPIC_NAMES, type Topic } from '../../../platform/changes/topics.ts'

const Topics = z
  .string()
  .transform((text) => [...new Set(text.split(',').map((name) => name.trim()))])
  .pipe(z.array(z.enum(TOPIC_NAMES as [Topic, ...Topic[]])).min(1))

export const StreamQuery = z.strictObject({
  topics: Topics.meta({
    type: 'string',
    description: `Topics with commas between them: ${TOPIC_NAMES.map((name) => `\`${name}\``).join(', ')}.`,
  }),
  last_event_id: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'The id of the last event that you got, for clients that cannot send `Last-Event-ID`.' }),
})
