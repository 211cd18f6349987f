const SOURCE = /\b(?:from|join|update|into)\s+(?:only\s+)?([a-z_]+)\b(?!\s*\()/gi
const CTE = /(?:\bwith\s+(?:recursive\s+)?|,\s*)([a-z_]+)\s*(?:\([^)]*\))?\s+as\s+(?:not\s+)?(?:materialized\s+)?\(/gi
// `for update of`, `set x = … from` and the like are keywords, not tables.
const NOT_TABLES = new Set(['set', 'unnest', 'select', 'skip', 'jsonb_to_recordset', 'generate_series', 'lateral', 'nowait', 'values', 'of'])

/** Throws for a statement of a tenant's transaction that reads or writes a table without saying `tenant_id`. */
export function assertNamesTenant(text: string): void {
  const own = new Set([...text.matchAll(CTE)].map((match) => match[1]?.toLowerCase()))
  const tables = [...text.matchAll(SOURCE)].map((match) => match[1]?.toLowerCase() ?? '').filter((name) => !own.has(name) && !NOT_TABLES.has(name))
  const mentions = text.match(/\btenant_id\b/gi)?.length ?? 0
  if (mentions < tables.length) {
    throw new Error(`a statement on ${tables.join(', ')} must name tenant_id for each of them, besides the policy:\n${text}`)
  }
}
