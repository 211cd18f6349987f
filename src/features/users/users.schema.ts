import { z } from 'zod'

export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email('An email address is needed, such as ada@example.com.'))
  .meta({ format: 'email', minLength: 3, description: 'Compared without regard to case.' })

export const NewPassword = z
  .string()
  .min(10, 'A password needs at least 10 characters.')
  .max(200, 'A password holds at most 200 characters.')
  .describe('10 to 200 characters.')

export const PersonName = z.string().trim().min(1).max(120)

export const User = z
  .object({ id: z.string(), name: z.string(), email: z.string() })
  .meta({ id: 'User', description: 'A person. One account may be a member of several workspaces.' })
