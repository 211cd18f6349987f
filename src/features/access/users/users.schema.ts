import { z } from 'zod'
import { nameIssue } from './names.ts'

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

/** A name of a person or a workspace: one line, of which something can be seen. */
export const DisplayName = z
  .string()
  .trim()
  .min(1)
  .max(120)
  .superRefine((text, context) => {
    const message = nameIssue(text)
    if (message !== null) context.addIssue({ code: 'custom', message })
  })

export const User = z
  .object({ id: z.string(), name: z.string(), email: z.string() })
  .meta({ id: 'User', description: 'A person. One account may be a member of several workspaces.' })
