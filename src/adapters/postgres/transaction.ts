import type { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import {
  type AtCommit,
  type ClosingStatement,
  type Connection,
  DatabaseUnavailableError,
  type QueryResult,
  OutOfTimeError,
  type Reach,
  TransactionAbortedError,
} from '../../platform/database/database-adapter.ts'
import { isCluster } from './cluster.ts'
import type { Work } from './groups.ts'
import { createPipeline, type Answer, type Statement } from './pipeline.ts'

// Prepared statements are planned once and never scan a whole table. Others are planned by their values. Planning a
// claim each time took as long as the claim.
const PREPARED_PLAN = fixed(
  'set-prepared-plan',
  `select set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)`,
)
const AUTO_PLAN = fixed(
  'set-auto-plan',
  `select set_config('plan_cache_mode', 'auto', true), set_config('enable_seqscan', 'on', true)`,
)
const BEGIN = fixed('begin', 'begin')
const BEGIN_READING = {
  latest: fixed('begin-reading', 'begin read only'),
  snapshot: fixed('begin-snapshot', 'begin isolation level repeatable read read only'),
}
const ENTER = fixed('enter', 'select app.enter($1, $2)')
const ENTER_PATIENT = fixed('enter-patient', 'select app.enter($1, $2, $3)')
const COMMIT = fixed('commit', 'commit')
// A long look-up of a member keeps others waiting. It has this time for a statement, and for all of them together.
const LIMIT_LOOKUP = fixed('limit-look-up', `select set_config('statement_timeout', '10000', true)`)
const MOST_LOOKUP_MS = 15_000
// How long shared work waits for a lock. Then it waits alone. Other groups hold a group's locks only for a moment.
const WRITE_PATIENCE = '100ms'
const GROUP_PATIENCE = '500ms'
const ignore = () => {}

/** A transaction whose statements are all known before it begins. */
export interface Write {
  reach: Reach
  statements: ClosingStatement[]
}

/** How many transactions were committed, in order, and why the next was not. Null if all were. */
export interface Written {
  committed: number
  failure: { error: unknown } | null
}

export interface Transactions {
  /** Sends BEGIN and the scope with the first statement, COMMIT with the last. */
  run<T>(client: pg.ClientBase, reach: Reach, work: Work<T>, options?: { shared: boolean }): Promise<T>
  /** Sends all in one write. After a failure the rest do not run. */
  write(client: pg.ClientBase, writes: Write[]): Promise<Written>
}

interface Options {
  types: pg.CustomTypesConfig
  inTransaction: AsyncLocalStorage<true>
  onStatement: ((text: string, reach: Reach) => void) | undefined
}

/** Whether a call of a member asks: of a user, or of a key. */
export function isOfMember(reach: Reach): reach is Extract<Reach, { role: 'tenant' }> {
  return reach.role === 'tenant' && reach.ofMember === true
}

export function createTransactions({ types, inTransaction, onStatement }: Options): Transactions {
  return {
    async run<T>(client: pg.ClientBase, reach: Reach, work: Work<T>, { shared } = { shared: false }) {
      const pipeline = createPipeline(client, types)
      // Not awaited, because they travel with the first statement, which also fails if they fail.
      const opened = Promise.all([
        pipeline.send(beginning(reach)),
        pipeline.send(entering(reach, shared ? GROUP_PATIENCE : null)),
      ])
      opened.catch(ignore)
      const isLimited = isOfMember(reach) && reach.reads !== undefined
      if (isLimited) pipeline.send(LIMIT_LOOKUP).catch(ignore)
      const began = performance.now()
      const gone = isLimited ? reach.gone : undefined
      const cluster = isCluster(client)
      let planned = PREPARED_PLAN
      const send = (statement: Statement) => {
        onStatement?.(statement.text, reach)
        const plan = statement.name === undefined && !cluster ? AUTO_PLAN : PREPARED_PLAN
        if (plan !== planned) pipeline.send(plan).catch(ignore)
        planned = plan
        return pipeline.send(statement)
      }
      const closing: ClosingStatement[] = []
      const connection: Connection = {
        query: <Row>(text: string, values: readonly unknown[], name?: string) =>
          isLimited && (gone?.aborted || performance.now() - began > MOST_LOOKUP_MS)
            ? Promise.reject(new OutOfTimeError())
            : (send({ text, values, name }) as Promise<QueryResult<Row>>),
        atCommit: (text, values, name, on) => void closing.push({ text, values, name, on }),
        isCluster: async () => cluster,
      }
      try {
        const result = await inTransaction.run(true, () => work(connection))
        const closed = Promise.all(closing.map((statement) => answerOf(send(statement), statement.on)))
        closed.catch(ignore)
        const ended = pipeline.send(COMMIT)
        ended.catch(ignore)
        const answers = await closed
        if ((await ended).command !== 'COMMIT') throw new TransactionAbortedError()
        tell(closing, answers)
        return result
      } catch (error) {
        // If the scope was not entered (no schema yet), later errors only say that the transaction is aborted.
        const cause = await opened.then(
          () => error,
          (first: unknown) => new DatabaseUnavailableError(first),
        )
        // If the rollback fails too, the connection is gone.
        await client.query('rollback').catch(ignore)
        throw cause
      }
    },
    async write(client, writes) {
      const pipeline = createPipeline(client, types)
      const sent = writes.map(({ reach, statements }) => {
        const opened = Promise.all([
          pipeline.send(beginning(reach)),
          pipeline.send(entering(reach, isReading(reach) ? null : WRITE_PATIENCE)),
        ]).catch((error: unknown) => {
          throw new DatabaseUnavailableError(error)
        })
        const closed = Promise.all(
          statements.map((statement) => {
            onStatement?.(statement.text, reach)
            return answerOf(pipeline.send(statement), statement.on)
          }),
        )
        const ended = pipeline.send(COMMIT)
        ended.catch(ignore)
        // COMMIT only says that an earlier statement failed.
        const done = Promise.all([opened, closed]).then(async ([, answers]) => {
          await ended
          return answers
        })
        done.catch(ignore)
        return { statements, done }
      })
      for (const [committed, { statements, done }] of sent.entries()) {
        try {
          const answers = await done
          tell(statements, answers)
        } catch (error) {
          await client.query('rollback').catch(ignore)
          return { committed, failure: { error } }
        }
      }
      return { committed: writes.length, failure: null }
    },
  }
}

/** The work of a transaction whose statements all run at COMMIT. */
export function keeping(statements: ClosingStatement[]): Work<void> {
  return async ({ atCommit }) => statements.forEach(({ text, values, name, on }) => atCommit(text, values, name, on))
}

function beginning(reach: Reach): Statement {
  return reach.role === 'tenant' && reach.reads ? BEGIN_READING[reach.reads] : BEGIN
}

function isReading(reach: Reach): boolean {
  return reach.role === 'tenant' && reach.reads !== undefined
}

function entering(reach: Reach, patience: string | null): Statement {
  const scope = [`earshot_${reach.role}`, reach.role === 'tenant' ? reach.tenantId : null]
  return patience === null ? { ...ENTER, values: scope } : { ...ENTER_PATIENT, values: [...scope, patience] }
}

async function answerOf(answer: Promise<Answer>, on: AtCommit<never> | undefined): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    throw on?.refuse?.(error) ?? error
  }
}

function tell(statements: ClosingStatement[], answers: Answer[]): void {
  for (const [index, { on }] of statements.entries()) on?.rows?.((answers[index]?.rows ?? []) as never[])
}

function fixed(name: string, text: string): Statement {
  return { name, text, values: [] }
}
