import pg from 'pg'

/** The reads of a plan's node from a table. */
interface Read {
  what: string
  rows: number
  pages: number
}

/** A statement that ran, as auto_explain reports it. */
export interface Ran {
  text: string
  /** The name of a prepared statement, or null. */
  name: string | null
  /** Rows that it returned, changed or got as arrays. */
  rows: number
  reads: Read[]
}

interface PlanNode {
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  'Relation Name'?: string
  'Index Name'?: string
  'Function Name'?: string
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  Plans?: PlanNode[]
}

// For every session of the database. Functions run statements of their own, so nested ones are included.
const SETTINGS = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
}

/** Makes a database report the plan of each statement, and freezes its statistics until they are analyzed. */
export async function tellPlans(owner: pg.Client): Promise<void> {
  await owner.query(`do $$
    declare
      target regclass;
    begin
      for target in select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
        execute format('alter table %s set (autovacuum_enabled = off)', target);
      end loop;
    end
    $$`)
  for (const [name, value] of Object.entries(SETTINGS))
    await owner.query(
      `do $$ begin execute format('alter database %I set ${name} = %L', current_database(), '${value}'); end $$`,
    )
}

/** Records the statements of new connections while `during` works. */
export function recordPlans(): { during(work: () => Promise<void>): Promise<Ran[]>; stop(): void } {
  const connect = pg.Client.prototype.connect
  const clients: Array<{ connection: { parsedStatements: Record<string, string> } }> = []
  let notices: string[] | null = null
  pg.Client.prototype.connect = function (this: pg.Client, ...rest: Parameters<typeof connect>) {
    clients.push(this as never)
    this.on('notice', ({ message }) => notices?.push(message ?? ''))
    return connect.apply(this, rest)
  } as typeof connect
  return {
    async during(work) {
      const heard: string[] = []
      notices = heard
      await work()
      notices = null
      const names = new Map(
        clients.flatMap(({ connection }) =>
          Object.entries(connection.parsedStatements).map(([name, text]) => [text, name] as const),
        ),
      )
      return heard.flatMap((message) => (message.includes('"Plan"') ? [ranOf(message, names)] : []))
    },
    stop() {
      pg.Client.prototype.connect = connect
    },
  }
}

function ranOf(message: string, names: Map<string, string>): Ran {
  const told = JSON.parse(message.slice(message.indexOf('{'))) as { 'Query Text': string; Plan: PlanNode }
  const text = told['Query Text']
  const nodes = withChildren(told.Plan)
  const changed = nodes.filter((node) => node['Node Type'] === 'ModifyTable').flatMap((node) => node.Plans ?? [])
  const given = nodes.filter((node) => node['Function Name'] === 'unnest')
  return {
    text,
    name: names.get(text) ?? null,
    rows: sum([told.Plan, ...changed, ...given], rowsOf),
    reads: nodes.flatMap((node) => (/Seq Scan|Index|Bitmap Heap/.test(node['Node Type']) ? [readOf(node)] : [])),
  }
}

function withChildren(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(withChildren)]
}

function rowsOf(node: PlanNode): number {
  return node['Actual Rows'] * node['Actual Loops']
}

function readOf(node: PlanNode): Read {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return {
    what: [node['Node Type'], node['Relation Name'], node['Index Name']].filter(Boolean).join(' '),
    rows: rowsOf(node) + removed * node['Actual Loops'],
    pages: (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0),
  }
}

function sum(nodes: PlanNode[], of: (node: PlanNode) => number): number {
  return nodes.reduce((total, node) => total + of(node), 0)
}
