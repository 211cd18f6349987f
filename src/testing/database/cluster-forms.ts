import type { Reach } from '../../platform/database/database-adapter.ts'
import { parseTokens, type Token } from './sql-tokens.ts'

/** Marks the form that only plain PostgreSQL runs. A cluster gets another. */
const PLAIN_ONLY = '/* not on a cluster */'
const VOLATILE = ['random', 'gen_random_uuid', 'clock_timestamp', 'timeofday', 'nextval', 'pg_sleep', 'setseed']
const STABLE = ['jsonb_build_object', 'jsonb_build_array', 'to_jsonb', 'concat', 'to_char']
const ENDS_SET = ['from', 'where', 'returning']
const SAYS = {
  recursion: 'a recursive query across tenants is refused by Citus: group on each shard, or mark the plain form',
  returning: 'an insert from a table must name its target by an alias, also in RETURNING',
  copy: 'an insert from no table, or from a limited one, without RETURNING or ON CONFLICT becomes a COPY, which row level security refuses',
  subscript: 'a subscript as the whole value in SET crashes a Citus coordinator: join unnest(…) instead',
  volatile:
    'a volatile function in UPDATE or DELETE is refused by Citus, and so is a stable one over a column: pass the value',
  compared:
    'a CASE that compares a value is sent on by Citus as one with conditions, which fails in SET, and in an INSERT that calls a stable function: write the conditions',
  sourceless:
    'a subquery without FROM, or LATERAL VALUES, is refused by Citus in a statement of all tenants: compute the value where its series is read',
  guard: 'cardinality of a parameter folds to a constant and leaves a table without its shard: write two statements',
}

const passed = new Set<string>()

/** By `owner`, a test fills and reads tables. */
type Role = Reach['role'] | 'owner'

/**
 * Throws if a statement has a form that Citus refuses or cannot keep on one shard (docs/architecture.md, "A cluster").
 */
export function assertRunsOnCluster(text: string, role: Role): void {
  const key = `${role} ${text}`
  if (passed.has(key) || text.includes(PLAIN_ONLY)) return
  const found = [...faultsOf(parseTokens(text), role)][0]
  if (found) throw new Error(`${SAYS[found]} (docs/architecture.md, "A cluster"):\n${text}`)
  passed.add(key)
}

function* faultsOf(tokens: Token[], role: Role): Generator<keyof typeof SAYS> {
  if (role !== 'tenant' && tokens[0] === 'with' && tokens[1] === 'recursive') yield 'recursion'
  if (isUnnamedInsert(tokens)) yield 'returning'
  if (role !== 'owner' && isCopy(tokens)) yield 'copy'
  if (role !== 'tenant' && readsTable(tokens, withNames(tokens)) && hasSourceless(tokens)) yield 'sourceless'
  if (tokens.includes('update') && hasBareSubscript(tokens)) yield 'subscript'
  if (comparesInCase(role === 'owner' ? tokens : assignmentsOf(tokens))) yield 'compared'
  const changes = ['update', 'delete'].some(
    (verb) => tokens[0] === verb || (tokens[0] === 'with' && tokens.includes(verb)),
  )
  if (changes && callsVolatile(tokens)) yield 'volatile'
  if (tokens.some((token, i) => token === 'cardinality' && isParameter(tokens[i + 1]))) yield 'guard'
  for (const token of tokens) if (typeof token !== 'string') yield* faultsOf(token, role)
}

/** `insert into t (…) select … from a_table … returning x`, without a conflict clause. */
function isUnnamedInsert(tokens: Token[]): boolean {
  const at = tokens.indexOf('insert')
  const rest = tokens.slice(at + 3)
  const returning = rest.indexOf('returning')
  if (at === -1 || returning === -1 || rest.includes('conflict') || !readsTable(rest, withNames(tokens))) return false
  const alias = rest[0] === 'as' ? rest[1] : undefined
  return (
    typeof alias !== 'string' || !rest.slice(returning + 1).some((token) => `${String(token)}`.startsWith(`${alias}.`))
  )
}

/**
 * `insert into t (…) select …` from no table, or from one that is limited or numbered, without RETURNING and without a
 * conflict clause.
 */
function isCopy(tokens: Token[]): boolean {
  const at = tokens.indexOf('insert')
  const rest = tokens.slice(at + 3)
  const becomesCopy = rest.includes('select') && !rest.includes('returning') && !rest.includes('conflict')
  return at !== -1 && becomesCopy && (!readsTable(rest, withNames(tokens)) || mentions(rest, ['limit', 'over']))
}

function mentions(tokens: Token[], words: string[]): boolean {
  return tokens.some((token) => (typeof token === 'string' ? words.includes(token) : mentions(token, words)))
}

/** Whether a SELECT has a table among its sources, also within a lateral subquery. */
function readsTable(tokens: Token[], ctes: Set<string>): boolean {
  return tokens.some((token, i) => {
    if (typeof token !== 'string') return token.includes('select') && readsTable(token, ctes)
    const source = tokens[i + 1]
    const isFunction = typeof tokens[i + 2] === 'object'
    return (
      ['from', 'join'].includes(token) &&
      typeof source === 'string' &&
      !isFunction &&
      source !== 'lateral' &&
      !ctes.has(source)
    )
  })
}

/** `(select now())`, or `lateral (values (x.at))`. A CTE may be one. */
function hasSourceless(tokens: Token[]): boolean {
  return tokens.some(
    (token, i) =>
      typeof token !== 'string' &&
      ((token[0] === 'select' && !token.includes('from') && !['as', 'materialized'].includes(String(tokens[i - 1]))) ||
        (token[0] === 'values' && tokens[i - 1] === 'lateral') ||
        hasSourceless(token)),
  )
}

function withNames(tokens: Token[]): Set<string> {
  return new Set(tokens.flatMap((token, i) => (tokens[i + 1] === 'as' && typeof token === 'string' ? [token] : [])))
}

/** `set x = (…)[i]` or `set x = y[i]`; `array[…]` is none. */
function hasBareSubscript(tokens: Token[]): boolean {
  for (let at = tokens.indexOf('set'); at !== -1; at = tokens.indexOf('set', at + 1)) {
    const end = tokens.findIndex((token, i) => i > at && typeof token === 'string' && ENDS_SET.includes(token))
    const set = tokens.slice(at, end === -1 ? undefined : end)
    if (set.some((token, i) => token === '=' && set[i + 2] === '[' && set[i + 1] !== 'array')) return true
  }
  return false
}

function assignmentsOf(tokens: Token[]): Token[] {
  return tokens.includes('update') && tokens.includes('set') ? tokens.slice(tokens.indexOf('set')) : []
}

/** `case x when 1 then …` */
function comparesInCase(tokens: Token[]): boolean {
  return tokens.some((token, i) => token === 'case' && tokens[i + 1] !== 'when')
}

function callsVolatile(tokens: Token[]): boolean {
  return tokens.some((token, i) =>
    typeof token === 'string'
      ? [...VOLATILE, ...STABLE].includes(token) && typeof tokens[i + 1] === 'object'
      : callsVolatile(token),
  )
}

function isParameter(token: Token | undefined): boolean {
  return typeof token === 'object' && token.length === 1 && /^\$\d+$/.test(String(token[0]))
}
