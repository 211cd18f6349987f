import { z } from 'zod'
import { Email, KeepWorkspaces, NewPassword } from '../users/users.schema.ts'

export const RequestPasswordReset = z.object({ email: Email }).meta({ id: 'RequestPasswordReset' })

export const ResetPassword = z
  .object({ password: NewPassword, keep_workspaces: KeepWorkspaces })
  .meta({ id: 'ResetPassword' })
