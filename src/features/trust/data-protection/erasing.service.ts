import type { ResidualMention, PersonalStore } from '../../../platform/personal.ts'
import { formatId } from '../../../platform/ids.ts'
import { mentions } from './contacts.service.ts'
import { PIECE, piecesOf, type Piece } from './search-results.service.ts'
import { deletePiece } from './search-results.store.ts'
import { listWritten } from './residual-mentions.service.ts'
import { keyOf, withZeros } from './plan.ts'
import { keepSearch, searchPerson, searchStore } from './search.service.ts'
import { addCopies, advance, passTurn, type Run, save, step, waitFor, write } from './steps.service.ts'

// Anybody may type the person's address again and again. Rows that come after so many further searches are new data.
const MOST_SEARCHES = 3
// A batch that runs needs its words until its end.
const BATCH_WAIT_MS = 30_000
const FILES_WAIT_MS = 10_000

/** Keeps the person out, erases what was found, and searches again until nothing is left, or a few times. */
export async function eraseAll(run: Run): Promise<void> {
  const { scope, declared, row, plan } = run
  await step(run, async (tx) => {
    for (const { block } of declared.parts) await block?.(scope, tx, plan.person)
    row.status = 'running'
    await save(run, tx, 'progress')
  })
  for (;;) {
    if (!plan.search) await eraseFound(run)
    if (plan.isLast) break
    const search = await searchPerson(run)
    if (search.total === 0 && (search.isOneMoment || plan.foundNothing)) break
    plan.foundNothing = search.total === 0
    if (search.total > 0) plan.rounds += 1
    const isEnough = search.total > 0 && plan.rounds >= MOST_SEARCHES
    const waits = isEnough && search.waits
    plan.isLast = isEnough && !waits
    if (waits) plan.rounds = 0
    await keepSearch(run, search, async (tx) => {
      for (const { block } of declared.parts) await block?.(scope, tx, search.person)
      await save(run, tx, 'plan')
    })
    if (waits) return waitFor(run, BATCH_WAIT_MS)
  }
  await eraseFiles(run)
  row.status = 'cleaning'
  row.erased_at = scope.clock.now()
  // Not given back before: the names of the erased files are here alone.
  await write(run, (tx) => save(run, tx, 'plan'))
  await passTurn(run)
  await finish(run)
}

/** Completes an erasure when the files are gone too. Past its time, the certificate names those that are left. */
export async function finish(run: Run): Promise<void> {
  const { scope, declared, row, turn } = run
  await eraseLate(run)
  const left: ResidualMention[] = []
  for (const { listGoing } of declared.parts)
    if (listGoing) left.push(...(await scope.read((tx) => listGoing(tx, row.created_at))))
  if (left.length > 0 && scope.clock.now() < row.due_at) return waitFor(run, FILES_WAIT_MS)
  const written = await listWritten(
    scope,
    (texts) => mentions(run.plan.person, texts),
    () => turn.pass(),
  )
  await complete(run, [...written, ...left])
}

/** After `erased_at`, which refuses rows that were read before it. */
async function eraseLate(run: Run): Promise<void> {
  const { scope, declared, row } = run
  for (const part of declared.stores) {
    const { awaitLate } = part
    if (!awaitLate) continue
    await step(run, (tx) => awaitLate(tx, scope.clock.now()))
    const keys = await searchStore(run, part)
    for (let at = 0; at < keys.length; at += PIECE)
      await step(run, async (tx) => {
        const count = await part.erase(scope, tx, keys.slice(at, at + PIECE))
        row.erased = { ...row.erased, [part.store]: (row.erased[part.store] ?? 0) + count }
        await save(run, tx, 'progress')
      })
  }
}

async function eraseFound(run: Run): Promise<void> {
  const { scope, declared, row } = run
  const stores = new Map(declared.stores.map((part) => [keyOf(part), part]))
  for await (const piece of piecesOf(scope, row.id)) {
    const part = stores.get(piece.place)
    if (part) await erasePiece(run, part, piece)
  }
}

/** Each piece is counted in the transaction that erases it. */
async function erasePiece(run: Run, { store: name, erase, listCopies: copiesOf }: PersonalStore, piece: Piece) {
  const { scope, row } = run
  await advance(run, async (tx) => {
    const nameCopies = async () => addCopies(run, (await copiesOf?.(scope, tx, piece.keys)) ?? [])
    // More may have left since the search, and the erasure forgets who holds a delivery now.
    const hadLeft = await nameCopies()
    const count = await erase(scope, tx, piece.keys)
    // A file may have begun to leave until the erasure held its row.
    const isNew = (await nameCopies()) || hadLeft
    await deletePiece(tx, row.id, piece.id)
    row.erased = { ...row.erased, [name]: (row.erased[name] ?? 0) + count }
    await save(run, tx, isNew ? 'plan' : 'progress')
  })
}

/** Mail that a provider of this server keeps as files, and files that still hold deleted rows. */
async function eraseFiles({ scope, declared, row, plan }: Run): Promise<void> {
  const addresses = plan.person.addresses.flatMap(({ kind, address }) => (kind === 'email' && address ? [address] : []))
  const names = await scope.ports.email.eraseCopies?.(addresses)
  const at = scope.clock.now().toISOString()
  for (const name of names ?? []) plan.external.push({ kind: 'email', target: `erased file ${name}`, at })
  const touched = declared.stores.filter(({ store: name }) => row.erased[name] !== undefined)
  const tables = [
    ...touched.flatMap(({ table, columns }) => [table, ...tablesIn(columns)]),
    ...declared.parts.flatMap(({ more = {} }) => Object.keys(more)),
  ]
  await scope.ports.database.rewrite?.([...new Set(tables)])
}

async function complete(run: Run, left: ResidualMention[]): Promise<void> {
  const { scope, row, plan } = run
  const completedAt = scope.clock.now()
  row.status = 'completed'
  row.completed_at = completedAt
  row.certificate = {
    request_id: formatId('privacyRequest', row.id),
    erased: withZeros(row.counts, row.erased),
    external: plan.external,
    left,
    re_import_blocked: true,
    completed_at: completedAt.toISOString(),
  }
  await write(run, (tx) => save(run, tx, 'end'))
}

/** `table.column` names another table. */
function tablesIn(columns: string[]): string[] {
  return columns.flatMap((column) => (column.includes('.') ? [column.slice(0, column.indexOf('.'))] : []))
}
