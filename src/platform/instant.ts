import { z } from 'zod'

/** A moment that a caller names: RFC 3339 with any offset, within the years that every database and every answer can hold. */
export const instant = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .refine((at) => at.getUTCFullYear() >= 1900 && at.getUTCFullYear() <= 9999, 'Use a moment between the years 1900 and 9999 in UTC.')
