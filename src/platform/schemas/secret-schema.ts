import { z } from 'zod'

/** Schemas of what an answer shows once, and nothing keeps in clear. */
export const SECRETS = z.registry<Record<string, never>>()

/** Marks a secret in the schema of an answer. A later `describe` or `meta` would lose the mark. */
export function secret<Schema extends z.ZodType>(schema: Schema): Schema {
  SECRETS.add(schema, {})
  return schema
}

/** How a value is shown that is never told again. */
export const MASK = '*'.repeat(12)

/**
 * Whether a text is what we show in place of a secret, such as `whsec_1a2b************`. It is never the secret itself.
 */
export function isMask(text: string): boolean {
  return text.endsWith(MASK)
}

export const IS_A_MASK = 'This is how a secret is shown. Send the secret itself, or leave it out to keep it.'
