import { formatId } from '../../../platform/ids.ts'
import type { Mentions, Person, PersonalStore, StoreName } from '../../../platform/personal.ts'
import { readWorkspace } from '../../access/workspaces/workspaces.service.ts'
import type { About, Stores } from './archive-document.ts'
import { zipArchive } from './archive-file.ts'
import { isWhole, storeArchive } from './archives.service.ts'
import { mentions } from './contacts.service.ts'
import { piecesOf } from './search-results.service.ts'
import { keyOf } from './plan.ts'
import { save, step, type Run } from './steps.service.ts'

// Rows may be large, and the memory holds as many at a time.
const READ_ROWS = 4

/** Collects the rows of all stores as one archive. */
export async function writeArchive(run: Run): Promise<void> {
  const { scope, row, plan } = run
  const about: About = {
    version: 1,
    request_id: formatId('privacyRequest', row.id),
    kind: row.kind === 'portability' ? 'portability' : 'access',
    workspace: (await scope.read((tx) => readWorkspace(tx))).name,
    created_at: scope.clock.now().toISOString(),
    addresses: addressesOf(plan.person),
  }
  const archive = zipArchive(about, await storesOf(run))
  const parts = await storeArchive(scope, { id: row.id, person: plan.person, archive }, (work) => step(run, work))
  row.status = 'completed'
  row.completed_at = scope.clock.now()
  await step(run, async (tx) => {
    // The next try leaves out the rows that an erasure took since.
    if (!(await isWhole(tx, row.id, parts))) throw new Error('the person of an archive was erased while it was written')
    await save(run, tx, 'end')
  })
}

async function storesOf(run: Run): Promise<Stores> {
  const { scope, declared, row } = run
  const parts = new Map(declared.stores.map((part) => [keyOf(part), part]))
  const found = new Map<StoreName, Array<{ part: PersonalStore; keys: string[] }>>()
  for await (const { place, keys } of piecesOf(scope, row.id)) {
    const part = parts.get(place)
    if (!part || (row.kind === 'portability' && part.portable === false)) continue
    const known = found.get(part.store) ?? []
    known.push({ part, keys })
    found.set(part.store, known)
  }
  return new Map([...found].map(([name, pieces]) => [name, () => recordsOf(run, pieces)]))
}

async function* recordsOf(run: Run, pieces: Array<{ part: PersonalStore; keys: string[] }>): AsyncGenerator<object> {
  const { scope, plan } = run
  const isNamed: Mentions = (texts) => mentions(plan.person, texts)
  for (const { part, keys } of pieces) {
    for (let at = 0; at < keys.length; at += READ_ROWS)
      yield* await scope.read((tx) => part.export(scope, tx, keys.slice(at, at + READ_ROWS), plan.person, isNamed))
    await step(run, async () => {})
  }
}

function addressesOf(person: Person): About['addresses'] {
  return person.addresses.flatMap(({ kind, address }) => (address === null ? [] : [{ kind, address }]))
}
