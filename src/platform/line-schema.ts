import { z } from 'zod'
import { oneLine } from './look/one-line.ts'

/** A text of one line: line breaks and control characters become spaces. */
export function line(longest: number): z.ZodString {
  return z.string().overwrite(oneLine).max(longest)
}

/** A name, which is a line and not empty. */
export function nameLine(longest: number): z.ZodString {
  return line(longest).min(1)
}
