import { claimDue, holdLease, newLease, type Lease } from '../../../platform/work/leases.ts'
import { Problem } from '../../../http/problems/problem.ts'
import { dueBy, untilNoneIsDue, listDueTenants } from '../../../platform/work/due-tenants.ts'
import { formatId } from '../../../platform/ids.ts'
import { dayIn } from '../../../platform/look/day-names.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import type { SweepOptions } from '../../../platform/work/sweeps.ts'
import { WorkFailedError, createWorkThread } from '../../../platform/loop/work-thread.ts'
import { stageEmailToEach } from '../../access/mail/mail.service.ts'
import { indexContacts } from '../../trust/data-protection/contacts.service.ts'
import { membersAmong } from '../../access/members/membership.service.ts'
import { readPublicData } from '../dashboards/dashboards.service.ts'
import type { ShownWidget } from '../dashboards/shown.ts'
import { drawPictures } from '../dashboards/drawing/drawing.service.ts'
import { LANGUAGE, letterOf, pageOf, type Letter } from './letter.ts'
import { mayRun } from './reports.service.ts'
import * as store from './reports.store.ts'
import { documentContext, newRun } from './runs.service.ts'
import * as runs from './runs.store.ts'
import { nextTime } from '../../../platform/work/cron.ts'

const BATCH = 20
const CLAIM = 2
// Longer than the drawing of charts and the making of a document may take.
const LEASE_MS = 180_000
const MOST_ATTEMPTS = 5
const RETRY_MS = 60_000

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

/** Makes the documents of waiting runs and mails them. */
export function deliverDueRuns(system: SystemScope, options: SweepOptions): Promise<number> {
  return untilNoneIsDue(
    options,
    (after) => listDueTenants(system, dueBy('report_runs', 'next_at', system.clock.now()), after),
    (tenantId) => deliverBatch(system.tenant(tenantId, { type: 'system' })),
  )
}

async function deliverBatch(scope: Scope): Promise<number> {
  const now = scope.clock.now()
  const lease = newLease(now, LEASE_MS)
  const claimed = await scope.tx((tx) =>
    claimDue<runs.RunRow>(tx, runs.JOBS, { now, lease, limit: CLAIM, also: runs.STARTED }),
  )
  for (const run of claimed) {
    try {
      await deliver(scope, run, lease)
    } catch (error) {
      const code = codeOf(error)
      scope.log.warn({ runId: run.id, error: code, attempts: run.attempts }, 'a report was not made')
      const nextAt =
        run.attempts < MOST_ATTEMPTS ? new Date(scope.clock.now().getTime() + RETRY_MS * run.attempts) : null
      await scope.tx((tx) => runs.failRun(tx, run.id, lease.token, { error: code, nextAt }))
    }
  }
  return claimed.length
}

async function deliver(scope: Scope, run: runs.RunRow, lease: Lease): Promise<void> {
  const report = await scope.read((tx) => store.findReport(tx, run.report_id))
  if (!report) return
  const shared = await readPublicData(scope, report.dashboard_id)
  const link = `${scope.settings.baseUrl}/app/reports/${formatId('report', run.report_id)}`
  const today = dayIn(shared.period.timezone, scope.clock.now())
  const drawn = await drawPictures(scope.tenantId, shared, { language: LANGUAGE, today })
  const letter = letterOf(report.name, { period: shared.period, today }, drawn, link)
  const isPdf = run.format === 'pdf'
  const base64 = isPdf ? await makePdf(scope.tenantId, letter) : Buffer.from(pageOf(letter), 'utf8').toString('base64')
  const type = isPdf ? 'application/pdf' : 'text/html; charset=utf-8'
  const document = scope.secrets.seal(base64, documentContext(run.id))
  await scope.tx(async (tx) => {
    if (await runs.storeDocument(tx, run.id, lease.token, { document, type }))
      await indexContacts(scope, tx, 'report_runs', { id: run.id, texts: namesIn(drawn) })
  })
  // The mails and the end of the run commit together, so no kill sends a mail twice or leaves one out.
  await scope.tx(async (tx) => {
    if (!(await holdLease(tx, runs.JOBS, run.id, lease))) return
    const members = await membersAmong(tx, run.recipients)
    const mail = {
      kind: 'report',
      subject: letter.title,
      text: letter.text,
      html: letter.html,
      attachments: [
        ...letter.pictures.map(({ id, base64: picture }) => ({
          name: `${id}.png`,
          type: 'image/png',
          contentId: id,
          base64: picture,
        })),
        ...(isPdf ? [{ name: 'report.pdf', type: 'application/pdf', base64 }] : []),
      ],
    }
    await stageEmailToEach(
      scope,
      tx,
      mail,
      members.map((userId) => ({ userId })),
    )
    await runs.completeRun(tx, run.id, scope.clock.now())
  })
}

// The digits of a date may be those of a number by chance.
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** The names of groups, which may be what people typed into a field. */
function namesIn(drawn: Array<{ widget: ShownWidget }>): string[] {
  return drawn.flatMap(({ widget }) => widget.points.map(({ label }) => label)).filter((label) => !DAY.test(label))
}

/** A code, never a message. */
function codeOf(error: unknown): string {
  if (error instanceof Problem) return error.code
  return error instanceof WorkFailedError ? `drawing_${error.reason.replaceAll(' ', '_')}` : 'failed'
}

const thread = createWorkThread<Letter, string>(new URL('./pdf-worker.ts', import.meta.url), {
  name: 'pdf',
  mostMs: 60_000,
  memoryMb: 256,
})

/** The PDF of a report in base64, made on another thread. @throws WorkFailedError */
function makePdf(of: string, letter: Letter): Promise<string> {
  return thread.run(letter, of)
}
