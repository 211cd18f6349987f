import { z } from 'zod'

const Age = z.number().min(0).nullable().describe('Age of the oldest waiting row, in seconds. Null if nothing waits.')

export const System = z
  .object({
    version: z.string(),
    queue_depth: z.number().int().describe('Rows of this workspace that wait for background work, in all queues.'),
    oldest_pending_age_seconds: Age,
    queues: z.record(z.string(), z.object({ depth: z.number().int(), oldest_pending_age_seconds: Age })),
    sweep_lag_seconds: z.number().min(0).describe('How late the latest sweep of this server was, in seconds.'),
    sweeps: z.array(
      z.object({
        name: z.string(),
        lag_seconds: z.number().min(0),
        last_finished_at: z.iso.datetime().nullable(),
        failing: z.boolean(),
      }),
    ),
    features: z
      .object({
        signups: z.boolean().describe('Anybody can create a workspace.'),
        email: z.boolean().describe('Mail goes to a provider, not to files of the server.'),
        sms: z.boolean(),
        voice: z.boolean(),
        ai: z.boolean().describe('A model is configured. Otherwise the offline engine answers.'),
        storage: z.boolean().describe('Files can be stored: in the file system, or in S3.'),
      })
      .describe('Features of this server that are on or off.'),
  })
  .meta({ id: 'System' })
