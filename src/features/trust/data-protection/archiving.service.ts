import { formatId } from '../../../platform/ids.ts'
import type { Mentions, Person } from '../../../platform/personal.ts'
import { readWorkspace } from '../../access/workspaces/workspaces.service.ts'
import type { ArchiveDocument } from './archive-document.ts'
import { zipArchive } from './archive-file.ts'
import { sealParts, storeArchive } from './archives.service.ts'
import { mentions } from './contacts.service.ts'
import { piecesOf } from './found.service.ts'
import { keyOf } from './plan.ts'
import { save, step, type Run } from './steps.service.ts'

/** Collects the rows of all stores as one archive. */
export async function writeArchive(run: Run): Promise<void> {
  const { scope, declared, row, plan } = run
  const stores: Record<string, object[]> = {}
  const isNamed: Mentions = (texts) => mentions(plan.person, texts)
  const parts = new Map(declared.stores.map((part) => [keyOf(part), part]))
  for await (const { place, keys } of piecesOf(scope, row.id)) {
    const part = parts.get(place)
    if (!part || (row.kind === 'portability' && part.portable === false)) continue
    const records = await scope.read((tx) => part.export(scope, tx, keys, plan.person, isNamed))
    ;(stores[part.store] ??= []).push(...records)
    await step(run, async () => {})
  }
  const createdAt = scope.clock.now()
  const document: ArchiveDocument = {
    version: 1,
    request_id: formatId('privacyRequest', row.id),
    kind: row.kind === 'portability' ? 'portability' : 'access',
    workspace: (await scope.read((tx) => readWorkspace(tx))).name,
    created_at: createdAt.toISOString(),
    addresses: addressesOf(plan.person),
    stores: stores as ArchiveDocument['stores'],
  }
  const sealed = await sealParts(scope, row.id, await zipArchive(document))
  row.status = 'completed'
  row.completed_at = createdAt
  await step(run, async (tx) => {
    await storeArchive(scope, tx, { id: row.id, person: plan.person, parts: sealed })
    await save(run, tx, 'end')
  })
}

function addressesOf(person: Person): ArchiveDocument['addresses'] {
  return person.addresses.flatMap(({ kind, address }) => (address === null ? [] : [{ kind, address }]))
}
