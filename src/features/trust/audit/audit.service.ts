import type { z } from 'zod'
import { pageRequest, presentPage } from '../../../http/routes/pagination.ts'
import { entries, type AuditRow } from '../../../platform/audit-entry.ts'
import type { ReadTx } from '../../../platform/database/database.ts'
import { countIfAsked } from '../../../platform/fields/counting.ts'
import { compileBeside } from '../../../platform/filter/compile.ts'
import type { Scope } from '../../../platform/scope.ts'
import { startSlices } from '../../../platform/loop/turns.ts'
import type { AuditEntry, AuditList, AuditQuery, AuditVerdict } from './audit.schema.ts'
import * as store from './audit.store.ts'
import { faultAfter, presentEntry, type Anchor, type Break, type Seal } from './chain.ts'
import * as seals from './seals.store.ts'
import { linesOf, type ExportSource } from '../../../platform/export-source.ts'
import { compileFilter } from '../../../platform/filter/compile.ts'

const PAGE = 500

export async function listAudit(scope: Scope, query: z.output<typeof AuditQuery>): Promise<z.input<typeof AuditList>> {
  const asked = pageRequest(query)
  const matching = (tx: ReadTx) =>
    compileBeside(store.conditionOf(query), 'audit', query.filter, { tx, alias: 'e', now: scope.clock.now() })
  const { rows, page } = await scope.read(async (tx) => store.listEntries(tx, await matching(tx), asked))
  return {
    ...presentPage(rows, page, presentSealed),
    ...(await countIfAsked(scope, query, {
      table: 'audit_entries',
      alias: 'e',
      matching,
      all: () => store.conditionOf({}),
    })),
  }
}

/** Checks the whole chain, and that it still holds the anchor. A long log is read in pages. */
export async function verifyAudit(scope: Scope, anchor: Anchor | null): Promise<z.input<typeof AuditVerdict>> {
  const { head, fault } = await walk(scope, anchor)
  const { entries, sealed, waiting } = await scope.read(store.countLog)
  const found = fault ?? endFault(head, anchor, entries - sealed - waiting)
  return {
    ok: found === null,
    entries: sealed,
    waiting,
    head: head && { seq: head.seq, hash: head.hash, at: head.at.toISOString() },
    broken_at: found?.broken_at ?? null,
    reason: found?.reason ?? null,
  }
}

type LastEntry = Pick<Seal, 'seq' | 'hash'> & { at: Date }

async function walk(scope: Scope, anchor: Anchor | null): Promise<{ head: LastEntry | null; fault: Break | null }> {
  let head: LastEntry | null = null
  const slices = startSlices()
  for (;;) {
    const after: number | null = head?.seq ?? null
    const links: seals.LinkRow[] = await scope.read((tx) => seals.listLinks(tx, after, PAGE))
    for (const link of links) {
      if (slices.isOver()) await slices.next()
      const fault = faultAfter(head, link, entryOf(link)) ?? anchorFault(link, anchor)
      if (fault || link.at === null) return { head, fault }
      head = { seq: link.seq, hash: link.hash, at: link.at }
    }
    if (links.length < PAGE) return { head, fault: null }
  }
}

function anchorFault({ seq, hash }: Seal, anchor: Anchor | null): Break | null {
  return anchor && anchor.seq === seq && anchor.hash !== hash ? { broken_at: seq, reason: 'rewritten' } : null
}

/** @param strays entries that neither wait nor have a seal. Nothing but a write past Earshot leaves one. */
function endFault(head: LastEntry | null, anchor: Anchor | null, strays: number): Break | null {
  const last = head?.seq ?? 0
  if (anchor && anchor.seq > last) return { broken_at: last + 1, reason: 'truncated' }
  return strays > 0 ? { broken_at: null, reason: 'inserted' } : null
}

/** An entry as the API shows it. */
function presentSealed(row: store.SealedRow): z.input<typeof AuditEntry> {
  return presentEntry(row, sealOf(row))
}

function sealOf({ seq, previous_hash, hash }: store.SealedRow): Seal | null {
  return seq === null || previous_hash === null || hash === null ? null : { seq, previous_hash, hash }
}

function entryOf(link: seals.LinkRow): AuditRow | null {
  return link.id === null ? null : (link as AuditRow)
}

/**
 * The audit log as exports read it. As JSONL it holds entries in the form of the API, so that a chain can be checked.
 */
export const exportedEntries: ExportSource = {
  columns: () => entries.exported,
  select: async (_scope, tx, { filter, snapshotAt }) =>
    store.selectKeys(tx, await compileFilter('audit', filter ?? { all: [] }, { tx, alias: 'e', now: snapshotAt })),
  async read(_scope, tx, keys, _spec, fields) {
    const rows = await store.listByIds(
      tx,
      keys.map(({ id }) => id),
    )
    return { rows: linesOf(rows.map(presentSealed), fields), done: keys.length }
  },
}
