import { type RawBuilder, sql } from './database.ts'

/** The key of a row's group, and what has to be joined for it. */
export interface GroupKey {
  key: RawBuilder<unknown>
  join: RawBuilder<unknown>
}

/** The key of all groups: null, the only key, or the text of a JSON array. Null if the row lacks one of them. */
export function combined(keys: GroupKey[]): GroupKey {
  const [first, second] = keys
  if (!first) return { key: sql`null::text`, join: sql`` }
  if (!second) return first
  const isComplete = sql.join(
    keys.map(({ key }) => sql`${key} is not null`),
    sql` and `,
  )
  return {
    key: sql`case when ${isComplete} then jsonb_build_array(${sql.join(keys.map(({ key }) => key))})::text end`,
    join: sql.join(
      keys.map(({ join }) => join),
      sql` `,
    ),
  }
}

/** The keys that a combined key has. */
export function keysIn(key: string, groups: number): string[] {
  return groups > 1 ? (JSON.parse(key) as string[]) : [key]
}
