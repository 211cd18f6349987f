import { z } from 'zod'

export const EventSubject = z
  .object({ type: z.enum(['response', 'alert', 'lead', 'survey', 'export_run', 'webhook']), id: z.string() })
  .meta({ id: 'EventSubject' })
