import { z } from 'zod'

/** Schemas of what an answer shows once, and nothing keeps in clear. */
export const SECRETS = z.registry<Record<string, never>>()

/** Marks a secret in the schema of an answer. A later `describe` or `meta` would lose the mark. */
export function secret<Schema extends z.ZodType>(schema: Schema): Schema {
  SECRETS.add(schema, {})
  return schema
}
