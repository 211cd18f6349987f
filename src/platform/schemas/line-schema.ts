import { z } from 'zod'
import { nameIssue, oneLine } from '../text/names.ts'

/** A text of one line: line breaks and control characters become spaces. */
export function line(longest: number): z.ZodString {
  return z.string().overwrite(oneLine).max(longest)
}

/** A name, which is a line and not empty. */
export function nameLine(longest: number): z.ZodString {
  return line(longest).min(1)
}

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

/** Java, Android and POSIX write `de_DE` for the language tag `de-DE`. */
export function withHyphens(tag: string): string {
  return tag.replaceAll('_', '-')
}

/** The language of a person or a response, also as `pt_BR`. */
export const spokenLanguage = z
  .string()
  .regex(/^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8}){0,4}$/, 'Use a language tag, such as en or pt-BR.')
  .overwrite(withHyphens)
