import { claimDue, holdLease, newLease, type Lease } from '../../../platform/work/leases.ts'
import { Problem } from '../../../http/problems/problem.ts'
import { dueBy, untilNoneIsDue, untilNoneIsDueInSlots, listDueTenants } from '../../../platform/work/due-tenants.ts'
import { cacheOf } from '../../../platform/config/caches.ts'
import { formatId, type TenantId } from '../../../platform/ids.ts'
import { dayIn } from '../../../platform/look/day-names.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import type { SweepOptions } from '../../../platform/work/sweeps.ts'
import { WorkFailedError, createWorkThread } from '../../../platform/loop/work-thread.ts'
import { prepareEmail, stagePrepared } from '../../access/mail/mail.service.ts'
import { afterErasure, ErasureError, requireNoErasureSince } from '../../trust/data-protection/requests.service.ts'
import { membersAmong } from '../../access/members/membership.service.ts'
import { indexContacts } from '../../trust/data-protection/contacts.service.ts'
import { readPublicData, type PublicData } from '../dashboards/dashboards.service.ts'
import { drawPictures } from '../dashboards/drawing/drawing.service.ts'
import { LANGUAGE, letterOf, pageOf, type Letter } from './letter.ts'
import { mayRun } from './reports.service.ts'
import * as store from './reports.store.ts'
import { documentContext, newRun } from './runs.service.ts'
import * as runs from './runs.store.ts'
import type { Printed } from './pdf-worker.ts'
import { nextTime } from '../../../platform/work/cron.ts'

const BATCH = 20
// A run keeps threads and the database busy, so each workspace has one at a time.
const SLOTS = { all: 4, each: 1 }
// Longer than the drawing of charts and the making of a document may take.
const LEASE_MS = 180_000
const MOST_ATTEMPTS = 5
const RETRY_MS = 60_000
/** Letters of base64 in one mail. Servers refuse large mails, and each recipient's is in memory while it is sent. */
const MOST_ATTACHED = 3_000_000

/** Starts the runs of reports whose time has come. A time that was missed is made up for once. */
export function planDueReports(system: SystemScope, options: SweepOptions): Promise<number> {
  return untilNoneIsDue(
    options,
    (after) => listDueTenants(system, dueBy('reports', 'next_at', system.clock.now()), after),
    (tenantId) => planBatch(system.tenant(tenantId, { type: 'system' })),
  )
}

async function planBatch(scope: Scope): Promise<number> {
  const now = scope.clock.now()
  return scope.tx(async (tx) => {
    const due = await store.lockDue(tx, now, BATCH)
    for (const report of due) {
      if (!(await mayRun(scope, tx, report))) continue
      await runs.insertRun(tx, newRun(report, report.next_at, now))
      await store.updateNext(tx, report.id, report.schedule && (nextTime(report.schedule, now) ?? null))
    }
    return due.length
  })
}

/** Makes the documents of waiting runs and mails them, one of each workspace at a time. */
export function deliverDueRuns(system: SystemScope, options: SweepOptions): Promise<number> {
  return untilNoneIsDueInSlots(
    options,
    SLOTS,
    async (after) => {
      const due = await listDueTenants(system, dueBy('report_runs', 'next_at', system.clock.now()), after)
      return shortFirst(due, system.caches.of(LAST_MS))
    },
    (tenantId) => deliverNext(system.tenant(tenantId, { type: 'system' })),
  )
}

/** How long the last run of a workspace took. */
const LAST_MS = cacheOf<TenantId, number>({ max: 10_000 })

/** Workspaces whose last run was long come after the others. */
export function shortFirst(due: TenantId[], lastMs: { get(tenantId: TenantId): number | undefined }): TenantId[] {
  return due.toSorted((a, b) => (lastMs.get(a) ?? 0) - (lastMs.get(b) ?? 0))
}

async function deliverNext(scope: Scope): Promise<number> {
  const now = scope.clock.now()
  const lease = newLease(now, LEASE_MS)
  const claimed = await scope.tx((tx) =>
    claimDue<runs.RunRow>(tx, runs.JOBS, { now, lease, limit: 1, also: runs.STARTED }),
  )
  for (const run of claimed) {
    try {
      await deliver(scope, run, lease)
    } catch (error) {
      if (error instanceof ErasureError) {
        await scope.tx((tx) => runs.postponeRun(tx, run.id, lease.token, afterErasure(scope, run.created_at)))
        continue
      }
      const code = codeOf(error)
      scope.log.warn({ runId: run.id, error: code, attempts: run.attempts }, 'a report was not made')
      const nextAt =
        run.attempts < MOST_ATTEMPTS ? new Date(scope.clock.now().getTime() + RETRY_MS * run.attempts) : null
      await scope.tx((tx) => runs.failRun(tx, run.id, lease.token, { error: code, nextAt }))
    }
    scope.caches.of(LAST_MS).set(scope.tenantId, scope.clock.now().getTime() - now.getTime())
  }
  return claimed.length
}

async function deliver(scope: Scope, run: runs.RunRow, lease: Lease): Promise<void> {
  // A report that read somebody would mail them after their erasure. A reading that it joins saw the same erasures.
  const readAt = scope.clock.now()
  const report = await scope.read(async (tx) => {
    // Also before the figures are read and drawn: erasures may wait in a line.
    await requireNoErasureSince(tx, readAt)
    return store.findReport(tx, run.report_id)
  })
  if (!report) return
  const shared = await readPublicData(scope, report.dashboard_id)
  const link = `${scope.settings.baseUrl}/app/reports/${formatId('report', run.report_id)}`
  const today = dayIn(shared.period.timezone, scope.clock.now())
  const drawn = await drawPictures(scope.tenantId, shared, { language: LANGUAGE, today })
  const letter = await letterOf(report.name, { period: shared.period, today }, drawn, link)
  const isPdf = run.format === 'pdf'
  const base64 = isPdf
    ? await makePdf(scope.tenantId, letter)
    : Buffer.from(await pageOf(letter), 'utf8').toString('base64')
  const type = isPdf ? 'application/pdf' : 'text/html; charset=utf-8'
  const document = scope.secrets.seal(base64, documentContext(run.id))
  await scope.tx(async (tx) => {
    await requireNoErasureSince(tx, readAt)
    if (await runs.storeDocument(tx, run.id, lease.token, { document, type }))
      await indexContacts(scope, tx, 'report_runs', { id: run.id, texts: namesIn(shared) })
  })
  const attachments = [
    ...letter.pictures.map(({ id, base64: picture }) => ({
      name: `${id}.png`,
      type: 'image/png',
      contentId: id,
      base64: picture,
    })),
    ...(isPdf ? [{ name: 'report.pdf', type: 'application/pdf', base64 }] : []),
  ]
  const isLarge = attachments.reduce((sum, each) => sum + each.base64.length, 0) > MOST_ATTACHED
  // Its figures as tables, and the link to the whole.
  const written = isLarge
    ? await letterOf(report.name, { period: shared.period, today }, drawn.map(withoutPicture), link)
    : letter
  const mail = await prepareEmail(scope, {
    kind: 'report',
    subject: written.title,
    text: written.text,
    html: written.html,
    attachments: isLarge ? [] : attachments,
  })
  // The mails and the end of the run commit together, so no kill sends a mail twice or leaves one out.
  await scope.tx(async (tx) => {
    if (!(await holdLease(tx, runs.JOBS, run.id, lease))) return
    await requireNoErasureSince(tx, readAt)
    const members = await membersAmong(tx, run.recipients)
    await stagePrepared(
      scope,
      tx,
      mail,
      members.map((userId) => ({ userId })),
    )
    await runs.completeRun(tx, run.id, scope.clock.now())
  })
}

function withoutPicture<Drawn>(drawn: Drawn): Drawn & { png: null } {
  return { ...drawn, png: null }
}

// The digits of a date may be those of a number by chance.
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** The names of groups, which may be what people typed into a field. Whole, though a letter cuts the long ones. */
function namesIn({ widgets }: Pick<PublicData, 'widgets'>): string[] {
  const names = Object.values(widgets).flatMap(({ rows = [] }) => rows.map(({ label }) => String(label)))
  return names.filter((name) => !DAY.test(name))
}

/** A code, never a message. */
function codeOf(error: unknown): string {
  if (error instanceof Problem) return error.code
  return error instanceof WorkFailedError ? `drawing_${error.reason.replaceAll(' ', '_')}` : 'failed'
}

const thread = createWorkThread<Printed, string>(new URL('./pdf-worker.ts', import.meta.url), {
  name: 'pdf',
  mostMs: 60_000,
  memoryMb: 256,
})

/** The PDF of a report in base64, made on another thread. @throws WorkFailedError */
function makePdf(of: string, { title, period, parts }: Letter): Promise<string> {
  // A chart stands for its rows.
  const printed = parts.map((part) => (part.picture ? { ...part, rows: [] } : part))
  return thread.run({ title, period, parts: printed }, of)
}
