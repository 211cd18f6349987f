import { z } from 'zod'
import { nameIssue } from './names.ts'

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

/** The name of a person or a workspace: one line with at least one visible character. */
export const DisplayName = z
  .string()
  .trim()
  .min(1)
  .max(120)
  .superRefine((text, context) => {
    const message = nameIssue(text)
    if (message !== null) context.addIssue({ code: 'custom', message })
  })

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

export const Verification = z
  .object({ verified: z.boolean().describe('Whether the mailbox is proved.') })
  .meta({ id: 'Verification' })

export const VerifyMailbox = z
  .strictObject({})
  .meta({ id: 'VerifyMailbox', description: 'Nothing: the token says all.' })
