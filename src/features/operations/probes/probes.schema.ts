import { z } from 'zod'

export const Health = z
  .object({ ok: z.boolean(), service: z.literal('earshot'), version: z.string(), time: z.iso.datetime() })
  .meta({ id: 'Health' })

export const Readiness = z
  .object({
    ok: z.boolean(),
    db: z
      .enum(['up', 'degraded', 'down'])
      .describe('Degraded: a node of the database cluster is away. Workspaces on other nodes are served.'),
  })
  .meta({ id: 'Readiness' })
