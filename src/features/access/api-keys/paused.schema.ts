import { z } from 'zod'

/** Members of everything that runs by itself. docs/security.md, "One rule for the same rows" */
export const ACTING = {
  maker: z
    .string()
    .nullable()
    .describe('The member or API key as whom it runs. A change while it is on makes the caller its maker.'),
  paused_reason: z
    .enum(['maker_left', 'maker_not_permitted'])
    .nullable()
    .describe('Why it does not run any more. `PATCH` with `{"enabled": true}` resumes it.'),
}
