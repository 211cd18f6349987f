import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { Note, Skeleton, Status } from '../../../ui/parts.tsx'
import type { Tone } from '../../../ui/status-tones.ts'
import { toast } from '../../../ui/toast.tsx'
import { useMemberName, useMay } from '../../app/me.ts'
import { Problem, reasonOf } from '../../frame/failure.tsx'
import { Confirm } from '../../frame/lazy-confirm.tsx'
import { Loaded } from '../../frame/loaded.tsx'
import { Screen } from '../../frame/screen.tsx'
import { scheduleText } from '../../schedules/schedule.tsx'
import { answerOf, api, download, ticketPath } from '../../session/api.ts'
import { formatMoment, formatNumber } from '../../words/format.ts'
import { TimeAgo } from '../../words/time-ago.tsx'
import { useWords } from '../../words/words.ts'
import { dashboardNamesQuery, reportQuery, useTurn, type Report } from './change.ts'
import { ReportState } from './reports.tsx'

const ReportDialog = lazy(() => import('./report-dialog.tsx').then(({ ReportDialog }) => ({ default: ReportDialog })))

type Run = Schemas['ReportRun']

const MOVING_MS = 1_000
const TONES: Record<Run['status'], Tone> = { waiting: 'running', running: 'running', completed: 'ok', failed: 'bad' }

/** A report: its schedule, its runs, and the document of one. */
export function ReportScreen() {
  const words = useWords()
  const { reportId = '' } = useParams({ strict: false })
  const read = useQuery(reportQuery(reportId))
  const runs = useQuery({
    queryKey: ['report', reportId, 'runs'],
    queryFn: () =>
      answerOf(api.GET('/v1/reports/{id}/runs', { params: { path: { id: reportId }, query: { limit: 50 } } })),
    refetchInterval: ({ state }) => (state.data?.data.some(isMoving) ? MOVING_MS : false),
  })
  const above = { to: '/app/reports', label: words('frame:screens.reports') }
  return (
    <Screen
      title={read.data?.report.name ?? words('reports:report')}
      above={above}
      end={read.data && <Acts report={read.data.report} etag={read.data.etag} />}
    >
      <Loaded query={read}>
        {({ report: found }) => (
          <div className="in">
            <Summary report={found} />
            <Loaded query={runs}>{({ data }) => <Runs report={found} runs={data} />}</Loaded>
          </div>
        )}
      </Loaded>
    </Screen>
  )
}

function isMoving({ status }: Run): boolean {
  return status === 'waiting' || status === 'running'
}

function Summary({ report }: { report: Report }) {
  const words = useWords()
  const nameOf = useMemberName()
  const dashboards = useQuery(dashboardNamesQuery)
  const { schedule, enabled, paused_reason: reason, next_run_at: next, recipients, dashboard_id: dashboardId } = report
  const dashboard = dashboards.data?.data.find(({ id }) => id === dashboardId)
  const isOn = schedule !== null && enabled && reason === null
  return (
    <>
      <div role="status">
        <p className="lede">
          {schedule === null
            ? words('reports:lede.byHand')
            : isOn
              ? words('reports:lede.goes', {
                  count: recipients.length,
                  n: formatNumber(recipients.length),
                  when: scheduleText(schedule, words),
                })
              : words('reports:lede.off')}
        </p>
        {isOn && next !== null && <p className="sub">{words('reports:nextAt', { at: formatMoment(next) })}</p>}
      </div>
      {reason !== null && (
        <div style={{ marginBlockStart: 12 }}>
          <Note tone="warn">{words(`reports:reasons.${reason}`)}</Note>
        </div>
      )}
      <dl className="facts" style={{ marginBlock: 20 }}>
        <dt>{words('list:fields.state')}</dt>
        <dd>
          <ReportState report={report} />
        </dd>
        <dt>{words('reports:dashboard')}</dt>
        <dd>
          <Link className="link" to="/app/dashboards/$dashboardId" params={{ dashboardId }}>
            <bdi>{dashboard?.name ?? dashboardId}</bdi>
          </Link>
        </dd>
        <dt>{words('reports:recipients')}</dt>
        <dd>
          {recipients.length === 0 ? (
            <span className="faint">{words('reports:nobody')}</span>
          ) : (
            recipients.map((id) => nameOf(id) ?? words('reports:former')).join(', ')
          )}
        </dd>
        <dt>{words('reports:format')}</dt>
        <dd>{words(`reports:formats.${report.format}`)}</dd>
      </dl>
    </>
  )
}

function Acts({ report, etag }: { report: Report; etag: string }) {
  const words = useWords()
  const client = useQueryClient()
  const navigate = useNavigate()
  const mayManage = useMay('reports.manage')
  const turn = useTurn()
  const [open, setOpen] = useState<'change' | 'delete' | null>(null)
  const { id, name, enabled, schedule, paused_reason: reason } = report
  const run = useMutation({
    mutationFn: () => answerOf(api.POST('/v1/reports/{id}/run', { params: { path: { id } } })),
    onSuccess: (made) => {
      void client.invalidateQueries({ queryKey: ['report', id, 'runs'] })
      void navigate({ to: '/app/reports/$reportId', params: { reportId: id }, search: { run: made.id } })
    },
    onError: (error) => toast({ text: reasonOf(error, words) }),
  })
  const remove = useMutation({
    mutationFn: () => answerOf<unknown>(api.DELETE('/v1/reports/{id}', { params: { path: { id } } })),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['reports'] })
      toast({ text: words('reports:deleted', { name }) })
      void navigate({ to: '/app/reports' })
    },
  })
  if (!mayManage) return null
  const isOn = enabled && reason === null
  return (
    <>
      <Menu
        size="square"
        label={words('list:menu')}
        groups={[
          {
            items: [
              { label: words('reports:change'), icon: 'pencil', onChoose: () => setOpen('change') },
              ...(schedule
                ? [
                    {
                      label: words(isOn ? 'reports:pause' : 'reports:resume'),
                      onChoose: () => turn.mutate({ id, enabled: !isOn }),
                    },
                  ]
                : []),
            ],
          },
          { items: [{ label: words('frame:delete'), icon: 'trash', onChoose: () => setOpen('delete') }] },
        ]}
      >
        <Icon name="ellipsis" />
      </Menu>
      <Button look="primary" isBusy={run.isPending} onClick={() => run.mutate()}>
        {words('reports:runNow')}
      </Button>
      {open === 'change' && (
        <Suspense>
          <ReportDialog report={report} etag={etag} onClose={() => setOpen(null)} />
        </Suspense>
      )}
      {open === 'delete' && (
        <Confirm
          title={words('reports:deleteTitle', { name })}
          verb={words('frame:delete')}
          act={remove}
          onClose={() => setOpen(null)}
        >
          <p>{words('reports:deleteText')}</p>
        </Confirm>
      )}
    </>
  )
}

function Runs({ report, runs }: { report: Report; runs: Run[] }) {
  const words = useWords()
  const { run: asked }: { run?: string } = useSearch({ strict: false })
  const shown = runs.find(({ id }) => id === asked) ?? runs.find(({ status }) => status === 'completed') ?? runs[0]
  if (!shown) return <p className="soft">{words('reports:noRuns')}</p>
  return (
    <div className="runs">
      <ol aria-label={words('reports:runs')}>
        {runs.map((run) => (
          <li key={run.id}>
            <Link
              to="/app/reports/$reportId"
              params={{ reportId: report.id }}
              search={{ run: run.id }}
              aria-current={run.id === shown.id ? 'true' : undefined}
            >
              <Status tone={TONES[run.status]}>{words(`reports:statuses.${run.status}`)}</Status>
              <span className="faint">
                <TimeAgo at={run.created_at} />
              </span>
              <span className="faint">
                {words(run.scheduled_for === null ? 'reports:startedByHand' : 'reports:startedByItself')}
              </span>
            </Link>
          </li>
        ))}
      </ol>
      <section aria-label={words('reports:document')}>
        {shown.status === 'failed' ? (
          <Note tone="bad">{shown.error ?? words('reports:statuses.failed')}</Note>
        ) : shown.status === 'completed' ? (
          <Document key={shown.id} run={shown} />
        ) : (
          <p className="soft" role="status">
            {words('reports:progress', {
              done: formatNumber(shown.progress.done),
              total: formatNumber(shown.progress.total),
            })}
          </p>
        )}
      </section>
    </div>
  )
}

/** The document of a run, in a frame that runs nothing. A PDF is downloaded. */
function Document({ run: { id, report_id: reportId, format } }: { run: Run }) {
  const words = useWords()
  const path = `/v1/reports/${reportId}/runs/${id}/document`
  const [address, setAddress] = useState<string | null>(null)
  const ask = useMutation({ mutationFn: () => ticketPath(path), onSuccess: setAddress })
  const save = useMutation({
    mutationFn: () => download(path),
    onError: (error) => toast({ text: reasonOf(error, words) }),
  })
  useEffect(() => {
    // An address works once, so it is asked for when the frame is there.
    if (format === 'html') ask.mutate()
  }, [])
  return (
    <>
      <p className="filters" style={{ justifyContent: 'space-between', marginBlockEnd: 8 }}>
        <span className="soft">{words(format === 'html' ? 'reports:asMailed' : 'reports:pdfText')}</span>
        <Button isBusy={save.isPending} onClick={() => save.mutate()}>
          <Icon name="download" isSmall />
          {words('reports:download')}
        </Button>
      </p>
      {ask.error ? (
        <Problem error={ask.error} onRetry={() => ask.mutate()} />
      ) : address !== null ? (
        <iframe className="document" sandbox="" src={address} title={words('reports:document')} />
      ) : (
        format === 'html' && <Skeleton label={words('frame:loading')} />
      )}
    </>
  )
}
