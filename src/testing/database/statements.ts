import { parseTokens, type Token } from './sql-tokens.ts'

const STARTS = ['select', 'with', 'insert', 'update', 'delete', 'values']
const SET_OPERATORS = ['union', 'intersect', 'except']
// Words that end a condition.
const CLAUSES = [
  'where',
  'on',
  'group',
  'order',
  'having',
  'window',
  'limit',
  'offset',
  'fetch',
  'for',
  'returning',
  'join',
  'left',
  'right',
  'inner',
  'full',
  'cross',
  'natural',
  'set',
  'from',
  'using',
]
const NOT_ALIASES = new Set([
  ...CLAUSES,
  ...SET_OPERATORS,
  'as',
  'tablesample',
  'values',
  'select',
  'default',
  'overriding',
  'do',
  'conflict',
])

const passed = new Set<string>()

/**
 * Throws if a statement in a tenant's transaction reads a table without its tenant. Each table, in every subquery,
 * needs `tenant_id = $n`, equality with such a table's tenant_id, or a column of INSERT.
 */
export function assertNamesTenant(text: string): void {
  if (passed.has(text)) return
  const open = checkQuery(parseTokens(text), new Set())
  if (open.length > 0)
    throw new Error(
      `a statement on ${open.join(', ')} must name tenant_id for each of them, besides the policy:\n${text}`,
    )
  passed.add(text)
}

/** The tables of a query and its subqueries that are not tied to a tenant. */
function checkQuery(tokens: Token[], outerCtes: ReadonlySet<string>): string[] {
  const { ctes, bodies, main } = splitCtes(tokens, outerCtes)
  return [
    ...bodies.flatMap((body) => checkQuery(body, ctes)),
    ...splitAt(main, SET_OPERATORS).flatMap((block) => checkBlock(block, ctes)),
  ]
}

function splitCtes(
  tokens: Token[],
  outer: ReadonlySet<string>,
): { ctes: Set<string>; bodies: Token[][]; main: Token[] } {
  const ctes = new Set(outer)
  const bodies: Token[][] = []
  if (wordAt(tokens, 0) !== 'with') return { ctes, bodies, main: tokens }
  let i = wordAt(tokens, 1) === 'recursive' ? 2 : 1
  for (;;) {
    ctes.add(wordAt(tokens, i))
    while (i < tokens.length && wordAt(tokens, i) !== 'as') i++
    while (i < tokens.length && typeof tokens[i] === 'string') i++
    bodies.push(groupAt(tokens, i))
    i++
    if (wordAt(tokens, i) !== ',') return { ctes, bodies, main: tokens.slice(i) }
    i++
  }
}

function checkBlock(tokens: Token[], ctes: ReadonlySet<string>): string[] {
  if (wordAt(tokens, 0) === 'insert') return checkInsert(tokens, ctes)
  const nested = tokens.flatMap((token) => checkGroup(token, ctes))
  const { tables, derived } = sourcesOf(tokens, ctes)
  const held = heldSources(tokens, tables, derived)
  return [...nested, ...tables.filter(({ alias }) => !held.has(alias)).map(({ name }) => name)]
}

function checkInsert(tokens: Token[], ctes: ReadonlySet<string>): string[] {
  const columns = tokens.findIndex((token) => typeof token !== 'string')
  const named =
    columns !== -1 &&
    columns <= 5 &&
    groupAt(tokens, columns)[0] !== undefined &&
    groupAt(tokens, columns).includes('tenant_id')
  const rest = tokens.slice(columns + 1)
  const select = rest.findIndex((token) => token === 'select' || token === 'with')
  const end = rest.findIndex((token, i) => (token === 'on' && rest[i + 1] === 'conflict') || token === 'returning')
  const tail = end === -1 ? [] : rest.slice(end)
  const body = end === -1 ? rest : rest.slice(0, end)
  const inner =
    select !== -1 && select < body.length
      ? checkQuery(body.slice(select), ctes)
      : body.flatMap((token) => checkGroup(token, ctes))
  return [...(named ? [] : [wordAt(tokens, 2)]), ...inner, ...tail.flatMap((token) => checkGroup(token, ctes))]
}

function checkGroup(token: Token, ctes: ReadonlySet<string>): string[] {
  if (typeof token === 'string') return []
  if (STARTS.includes(wordAt(token, 0))) return checkQuery(token, ctes)
  // `((select …) union (select …))` and parentheses around joins of a FROM clause.
  const { tables } = token.some((inner) => inner === 'join') ? sourcesOf(['from', ...token], ctes) : { tables: [] }
  return [...tables.map(({ name }) => name), ...token.flatMap((inner) => checkGroup(inner, ctes))]
}

interface Source {
  name: string
  alias: string
}

/** The tables of this block, and the aliases of its other sources: CTEs, subqueries, functions. */
function sourcesOf(tokens: Token[], ctes: ReadonlySet<string>): { tables: Source[]; derived: Set<string> } {
  const tables: Source[] = []
  const derived = new Set<string>()
  let inFrom = false
  for (let i = 0; i < tokens.length; i++) {
    const word = wordAt(tokens, i)
    const distinctFrom =
      word === 'from' && wordAt(tokens, i - 1) === 'distinct' && ['is', 'not'].includes(wordAt(tokens, i - 2))
    const opens =
      (word === 'from' && !distinctFrom) ||
      word === 'join' ||
      (word === 'update' && i === 0) ||
      (word === 'using' && tokens[0] === 'delete')
    if (CLAUSES.includes(word)) inFrom = opens
    if (!opens && !(inFrom && word === ',')) continue
    i++
    while (['only', 'lateral'].includes(wordAt(tokens, i))) i++
    const source = tokens[i]
    const isFunction = typeof source === 'string' && typeof tokens[i + 1] !== 'string' && tokens[i + 1] !== undefined
    const after = isFunction ? i + 2 : i + 1
    const explicit = wordAt(tokens, after) === 'as' ? wordAt(tokens, after + 1) : wordAt(tokens, after)
    const name = typeof source === 'string' ? source : ''
    const alias = /^[a-z_]/.test(explicit) && !NOT_ALIASES.has(explicit) ? explicit : (name.split('.').at(-1) ?? '')
    if (typeof source !== 'string' || isFunction || ctes.has(name)) derived.add(alias)
    else tables.push({ name, alias })
  }
  return { tables, derived }
}

/** Aliases that the block's conditions tie to one tenant, directly or through others. */
function heldSources(tokens: Token[], tables: Source[], derived: Set<string>): Set<string> {
  const own = new Set(tables.map(({ alias }) => alias))
  const equalities = conditionsOf(tokens).flatMap((condition) => {
    const sides = tenantEquality(condition)
    if (!sides) return []
    return [sides.map((side) => (side === '' && tables.length === 1 ? (tables[0]?.alias ?? '') : side))]
  })
  const held = new Set<string>(['$'])
  // CTEs and subqueries are checked separately. An unknown alias belongs to an outer query.
  const isHeld = (side: string) => held.has(side) || derived.has(side) || (side !== '' && !own.has(side))
  for (let changed = true; changed;) {
    changed = false
    for (const [left = '', right = ''] of equalities) {
      for (const [from, to] of [
        [left, right],
        [right, left],
      ] as const) {
        if (isHeld(from) && own.has(to) && !held.has(to)) {
          held.add(to)
          changed = true
        }
      }
    }
  }
  return held
}

/** The terms that AND joins in WHERE and ON. A clause with an OR at its top holds nothing. */
function conditionsOf(tokens: Token[]): Token[][] {
  const conditions: Token[][] = []
  for (let i = 0; i < tokens.length; i++) {
    const word = wordAt(tokens, i)
    if (word === 'using' && tokens[0] !== 'delete' && groupAt(tokens, i + 1).includes('tenant_id'))
      conditions.push(...usingEqualities(tokens, i))
    if (word !== 'where' && word !== 'on') continue
    const end = tokens.findIndex(
      (token, j) =>
        j > i &&
        typeof token === 'string' &&
        CLAUSES.includes(token) &&
        !(token === 'from' && wordAt(tokens, j - 1) === 'distinct'),
    )
    const clause = tokens.slice(i + 1, end === -1 ? undefined : end)
    if (!clause.includes('or')) conditions.push(...splitAt(clause, ['and']))
  }
  return conditions
}

// `a join b using (tenant_id, …)` makes both sides equal, like a condition a = b.
function usingEqualities(tokens: Token[], using: number): Token[][] {
  const { tables, derived } = sourcesOf(tokens.slice(0, using), new Set())
  const aliases = [...tables.map(({ alias }) => alias), ...derived]
  return aliases.slice(1).map((alias) => [`${aliases[0]}.tenant_id`, '=', `${alias}.tenant_id`])
}

/** The two sides of `[a.]tenant_id = …`: an alias, '' for none, or `$` for a parameter. */
function tenantEquality(condition: Token[]): [string, string] | null {
  const [left, operator, right] = condition
  if (operator !== '=' || condition.length !== 3 || typeof left !== 'string' || typeof right !== 'string') return null
  const sides = [left, right].map((side) =>
    /^\$\d+$/.test(side)
      ? '$'
      : /^(?:\w+\.)?tenant_id$/.test(side)
        ? side.slice(0, -'tenant_id'.length).replace('.', '')
        : null,
  )
  const [a, b] = sides
  return a === null || a === undefined || b === null || b === undefined ? null : [a, b]
}

function splitAt(tokens: Token[], words: string[]): Token[][] {
  const parts: Token[][] = [[]]
  for (const token of tokens) {
    if (typeof token === 'string' && words.includes(token)) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts.map((part) => (part[0] === 'all' || part[0] === 'distinct' ? part.slice(1) : part))
}

function wordAt(tokens: Token[], i: number): string {
  const token = tokens[i]
  return typeof token === 'string' ? token : ''
}

function groupAt(tokens: Token[], i: number): Token[] {
  const token = tokens[i]
  return typeof token === 'string' || token === undefined ? [] : token
}
