import { z } from 'zod'

export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email('Use an email address such as ada@example.com.'))
  .meta({ format: 'email', minLength: 3, description: 'An email address. Upper and lower case are the same.' })

export const NewPassword = z
  .string()
  .min(10, 'A password needs at least 10 characters.')
  .max(200, 'A password can have at most 200 characters.')
  .describe('10 to 200 characters.')

export const KeepWorkspaces = z
  .array(z.string().max(100))
  .max(100)
  .default([])
  .describe(
    'Only for an address that nobody has proved so far: the workspaces that its accounts made and that stay yours. The ' +
      'others lose their member. All earlier sessions and API keys end.',
  )

export const User = z
  .object({ id: z.string(), name: z.string(), email: z.string() })
  .meta({ id: 'User', description: 'A person. One account may be a member of several workspaces.' })
