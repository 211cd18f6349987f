import { z } from 'zod'
import { PROBLEM_CODES } from './problem-codes.ts'
import { PERMISSIONS } from '../../platform/permissions.ts'

/** A problem as the caller gets it. */
export const ProblemBody = z
  .object({
    type: z.string().describe('`urn:earshot:problem:` and the code.'),
    title: z.string(),
    status: z.number().int(),
    code: z
      .string()
      .meta({ description: 'The stable code of the problem, for programs.', 'x-extensible-enum': PROBLEM_CODES }),
    detail: z.string().describe('The cause and the remedy, for people.'),
    request_id: z.string(),
    permission: z.enum(PERMISSIONS).optional().describe('With 403: the missing permission.'),
    issues: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .describe('With 400 and 422: each wrong value.'),
    retry_after: z.number().int().optional().describe('With 429 and 503: seconds to wait, a whole number.'),
  })
  .meta({ id: 'Problem' })
