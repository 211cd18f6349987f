import { z } from 'zod'
import { instantOrDay } from '../../../platform/instant.ts'
import { PERMISSIONS } from '../../../platform/permissions.ts'
import { secret } from '../../../platform/schemas/secret-schema.ts'
import { nameLine } from '../../../platform/schemas/line-schema.ts'

const Name = nameLine(120)
const PermissionNames = z
  .array(z.string().max(60))
  .max(100)
  .describe('Names from `GET /v1/permissions`. The caller must hold each of them.')
const ExpiresAt = instantOrDay
  .nullable()
  .describe(
    'When the key stops working. A date means the end of that day in the time zone of the workspace. Null means never. A time in the past is refused with 422.',
  )

export const CreateApiKey = z
  .strictObject({ name: Name, permissions: PermissionNames, expires_at: ExpiresAt.default(null) })
  .meta({ id: 'CreateApiKey' })

export const UpdateApiKey = z
  .strictObject({ name: Name, permissions: PermissionNames, expires_at: ExpiresAt })
  .partial()
  .meta({ id: 'UpdateApiKey', description: 'Members that you leave out keep their values.' })

export const ApiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    prefix: z.string().describe('Always `ear_live_`.'),
    last_four: z.string().describe('The last four characters of the key.'),
    permissions: z.array(z.enum(PERMISSIONS)).describe('The permissions that the key was given.'),
    effective_permissions: z
      .array(z.enum(PERMISSIONS))
      .describe(
        'The permissions that the key has right now: those it was given and its maker still holds. Empty when the ' +
          'maker has left.',
      ),
    maker: z
      .string()
      .nullable()
      .describe(
        'The person who made or adopted the key. Null when another key made it and no person is known behind that ' +
          'key.',
      ),
    created_by: z.object({ type: z.enum(['user', 'api_key']), id: z.string() }),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime().nullable(),
    last_used_at: z.iso.datetime().nullable().describe('When the key was last used, to the minute.'),
  })
  .meta({ id: 'ApiKey' })

export const ApiKeyWithSecret = ApiKey.extend({
  key: secret(
    z
      .string()
      .regex(/^ear_live_[0-9A-Za-z]{36}$/)
      .describe('The key: `ear_live_`, 30 random characters and their CRC-32 in base62. Shown only here.'),
  ),
}).meta({ id: 'ApiKeyWithSecret' })

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
