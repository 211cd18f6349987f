import { z } from 'zod'
import { instant } from '../../../platform/instant.ts'
import { PERMISSIONS } from '../../../platform/permissions.ts'

const Name = z.string().trim().min(1).max(120)
const PermissionNames = z
  .array(z.string().max(60))
  .max(100)
  .describe('Names of GET /v1/permissions, of which the caller must hold each.')
const ExpiresAt = instant.nullable().describe('Null: never. In the past: 422.')

export const CreateApiKey = z
  .strictObject({ name: Name, permissions: PermissionNames, expires_at: ExpiresAt.default(null) })
  .meta({ id: 'CreateApiKey' })

export const UpdateApiKey = z
  .strictObject({ name: Name, permissions: PermissionNames, expires_at: ExpiresAt })
  .partial()
  .meta({ id: 'UpdateApiKey', description: 'What is absent stays.' })

export const ApiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    prefix: z.string().describe('`ear_live_`'),
    last_four: z.string().describe('The last characters of the key.'),
    permissions: z.array(z.enum(PERMISSIONS)).describe('The permissions that the key was given.'),
    effective_permissions: z
      .array(z.enum(PERMISSIONS))
      .describe(
        'The permissions that the key acts with: those that it was given and its maker still holds. Empty when the maker has left.',
      ),
    maker: z
      .string()
      .nullable()
      .describe(
        'The person who answers for the key: the one who made or adopted it. Null when a key made it and nobody is known behind that key.',
      ),
    created_by: z.object({ type: z.enum(['user', 'api_key']), id: z.string() }),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime().nullable(),
    last_used_at: z.iso.datetime().nullable().describe('Kept to the minute.'),
  })
  .meta({ id: 'ApiKey' })

export const ApiKeyWithSecret = ApiKey.extend({
  key: z
    .string()
    .regex(/^ear_live_[0-9A-Za-z]{36}$/)
    .describe('`ear_live_`, 30 random characters and the CRC-32 of those in base62. Shown only here.'),
}).meta({ id: 'ApiKeyWithSecret' })
