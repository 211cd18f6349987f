import type { Socket } from 'node:net'
import pg from 'pg'
import { serialize } from 'pg-protocol'
import { parameterOf, type Parameter } from './parameters.ts'

export interface Statement {
  text: string
  values: readonly unknown[]
  /** The name that a connection prepares it under, once. Undefined if preparing does not pay. */
  name: string | undefined
}

export interface Answer {
  rows: unknown[]
  affected: number
  /** PostgreSQL's command tag, such as `COMMIT`. */
  command: string
}

/** The statements of a connection. Those of one turn of the event loop are sent in one write. */
export interface Pipeline {
  send(statement: Statement): Promise<Answer>
}

/** A statement did not run because the one before it failed. */
class SkippedError extends Error {
  constructor() {
    super('a statement before this one failed')
    this.name = 'SkippedError'
  }
}

interface Sent {
  statement: Statement
  parameters: Parameter[]
  columns: Column[] | undefined
  rows: unknown[]
  resolve(answer: Answer): void
  reject(error: unknown): void
}

interface Column {
  name: string
  parse(text: string): unknown
}

/** The parts of pg's connection that this file uses. */
interface Wire {
  stream: Socket
  /** The statements that the server holds by name, or will, by text. */
  parsedStatements: Record<string, string>
  submittedNamedStatements: Record<string, string>
}

const DESCRIBE = serialize.describe({ type: 'P' })
const EXECUTE = serialize.execute()
const SYNC = serialize.sync()
// The protocol counts parameters in 16 bits.
const PARAMETERS_AT_MOST = 65_535
// The columns of a prepared statement do not change, so each connection asks for them once.
const described = new WeakMap<Wire, Map<string, Column[]>>()

export function createPipeline(client: pg.ClientBase, types: pg.CustomTypesConfig): Pipeline {
  let waiting: Sent[] = []
  let refused = false
  const flush = () => {
    const batch = new Batch(waiting, types)
    waiting = []
    client.query(batch as unknown as pg.Submittable)
  }
  return {
    send: (statement) =>
      new Promise((resolve, reject) => {
        // After a statement that cannot be sent, the rest must not run: a COMMIT would store half the work.
        if (refused) throw new SkippedError()
        refused = true
        const parameters = statement.values.map(parameterOf)
        if (parameters.length > PARAMETERS_AT_MOST) throw new Error(`a statement has ${parameters.length} parameters`)
        refused = false
        if (waiting.length === 0) process.nextTick(flush)
        waiting.push({ statement, parameters, columns: undefined, rows: [], resolve, reject })
      }),
  }
}

const ignore = () => {}

// pg pipelines only queries of its own class.
const PgQuery = pg.Query as unknown as new (text: string) => { callback?: (error: unknown) => void }

/**
 * Several statements that look like one to pg: sent in one write with one Sync, so the server answers once. After a
 * failure the rest do not run.
 */
class Batch extends PgQuery {
  readonly #sent: Sent[]
  readonly #types: pg.CustomTypesConfig
  #at = 0
  #error: unknown = null

  constructor(sent: Sent[], types: pg.CustomTypesConfig) {
    super('')
    this.#sent = sent
    this.#types = types
    this.callback = ignore
  }

  // pg reads these two when the server has prepared a statement, and the first when one has failed.
  get name(): string | undefined {
    return this.#sent[this.#at]?.statement.name
  }
  set name(_: string | undefined) {}
  get text(): string {
    return this.#sent[this.#at]?.statement.text ?? ''
  }
  set text(_: string) {}

  submit(wire: Wire): Error | null {
    const known = describedBy(wire)
    const messages: Buffer[] = []
    for (const sent of this.#sent) {
      const { name, text } = sent.statement
      const held = name === undefined ? undefined : (wire.parsedStatements[name] ?? wire.submittedNamedStatements[name])
      if (held !== undefined && held !== text) {
        return new Error(`two statements are called ${name}`)
      }
      if (held === undefined) messages.push(serialize.parse({ name: name ?? '', text, types: [] }))
      if (held === undefined && name !== undefined) wire.submittedNamedStatements[name] = text
      messages.push(serialize.bind({ statement: name ?? '', values: sent.parameters }))
      sent.columns = name === undefined ? undefined : known.get(name)
      if (!sent.columns) messages.push(DESCRIBE)
      messages.push(EXECUTE)
    }
    messages.push(SYNC)
    wire.stream.write(Buffer.concat(messages))
    return null
  }

  handleRowDescription({ fields }: { fields: Array<{ name: string; dataTypeID: number }> }): void {
    const sent = this.#sent[this.#at]
    if (sent)
      sent.columns = fields.map(({ name, dataTypeID }) => ({
        name,
        parse: this.#types.getTypeParser(dataTypeID, 'text'),
      }))
  }

  handleDataRow({ fields }: { fields: Array<string | null> }): void {
    const sent = this.#sent[this.#at]
    const columns = sent?.columns ?? []
    const row: Record<string, unknown> = {}
    try {
      for (let i = 0; i < columns.length; i++) {
        const column = columns[i] as Column
        const text = fields[i] ?? null
        row[column.name] = text === null ? null : column.parse(text)
      }
      sent?.rows.push(row)
    } catch (error) {
      this.#error ??= error
    }
  }

  handleCommandComplete({ text }: { text: string }, wire: Wire): void {
    const words = text.split(' ')
    this.#complete({ command: words[0] ?? '', affected: Number(words.at(-1)) || 0 }, wire)
  }

  handleEmptyQuery(wire: Wire): void {
    this.#complete({ command: '', affected: 0 }, wire)
  }

  #complete(answer: Omit<Answer, 'rows'>, wire: Wire): void {
    const sent = this.#sent[this.#at++]
    if (!sent) return
    const { name } = sent.statement
    if (name !== undefined) describedBy(wire).set(name, sent.columns ?? [])
    if (this.#error === null) sent.resolve({ ...answer, rows: sent.rows })
    else sent.reject(this.#error)
    this.#error = null
  }

  handleReadyForQuery(): void {
    this.callback?.(null)
  }

  handleError(error: unknown, wire: Wire): void {
    const [failed, ...skipped] = this.#sent.slice(this.#at)
    for (const { statement } of this.#sent.slice(this.#at))
      if (statement.name !== undefined) delete wire.submittedNamedStatements[statement.name]
    this.#at = this.#sent.length
    failed?.reject(error)
    // In a later turn, so that callers of several statements first hear the real error.
    setImmediate(() => skipped.forEach(({ reject }) => reject(new SkippedError())))
    this.callback?.(error)
  }
}

function describedBy(wire: Wire): Map<string, Column[]> {
  const known = described.get(wire)
  if (known) return known
  const fresh = new Map<string, Column[]>()
  described.set(wire, fresh)
  return fresh
}
