import { z } from 'zod'
import { Email, NewPassword } from '../users/users.schema.ts'

export const RequestPasswordReset = z.object({ email: Email }).meta({ id: 'RequestPasswordReset' })

export const ResetPassword = z.object({ password: NewPassword }).meta({ id: 'ResetPassword' })
