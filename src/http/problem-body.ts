import { z } from 'zod'
import { PERMISSIONS } from '../platform/permissions.ts'

/** A problem as it is sent. */
export const ProblemBody = z
  .object({
    type: z.string().describe('`urn:earshot:problem:` and the code.'),
    title: z.string(),
    status: z.number().int(),
    code: z.string().describe('Stable; program against this.'),
    detail: z.string().describe('For a person: what happened and what to do.'),
    request_id: z.string(),
    permission: z.enum(PERMISSIONS).optional().describe('With 403: what the caller lacks.'),
    issues: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .describe('With 400 and 422: each place that is wrong.'),
    retry_after: z.number().int().optional().describe('With 429 and 503: whole seconds to wait.'),
  })
  .meta({ id: 'Problem' })
