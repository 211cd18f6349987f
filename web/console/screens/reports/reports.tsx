import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Empty, Status } from '../../../ui/parts.tsx'
import { useMay } from '../../app/me.ts'
import { Call } from '../../frame/call.tsx'
import { Screen, Lede, NewButton } from '../../frame/screen.tsx'
import { LoadedRows, Row, UnseenHead } from '../../frame/loaded.tsx'
import { scheduleText } from '../../schedules/schedule.tsx'
import { formatNumber } from '../../words/format.ts'
import { TimeAgo } from '../../words/time-ago.tsx'
import { useWords } from '../../words/words.ts'
import { dashboardNamesQuery, reportsQuery, useTurn, type Report } from './change.ts'

const ReportDialog = lazy(() => import('./report-dialog.tsx').then(({ ReportDialog }) => ({ default: ReportDialog })))

/** Who gets which figures, and when? */
export function Reports() {
  const words = useWords()
  const navigate = useNavigate()
  const mayManage = useMay('reports.manage')
  const turn = useTurn()
  const [isAdding, setAdding] = useState(false)
  const list = useQuery(reportsQuery)
  const dashboards = useQuery(dashboardNamesQuery)
  const add = mayManage && <NewButton label={words('reports:new')} onPress={() => setAdding(true)} />
  return (
    <Screen title={words('frame:screens.reports')} end={add}>
      <LoadedRows
        query={list}
        empty={
          <Empty title={words('reports:empty')} actions={add}>
            <p>{words('reports:emptyText')}</p>
            <Call path="/v1/reports" body={'{"name": "…", "dashboard_id": "dsh_…"}'} />
          </Empty>
        }
      >
        {(reports) => (
          <>
            <Summary reports={reports} />
            <table className="table tall" aria-label={words('frame:screens.reports')}>
              <thead>
                <tr>
                  <th>{words('list:fields.name')}</th>
                  <th>{words('list:fields.state')}</th>
                  <th className="wide">{words('reports:when')}</th>
                  <th className="wide">{words('reports:next')}</th>
                  <th className="end wide">{words('reports:recipients')}</th>
                  {mayManage && <UnseenHead className="end wide">{words('list:menu')}</UnseenHead>}
                </tr>
              </thead>
              <tbody>
                {reports.map((report) => (
                  <Row
                    key={report.id}
                    onOpen={() => void navigate({ to: '/app/reports/$reportId', params: { reportId: report.id } })}
                  >
                    <td className="first">
                      <Link className="pair" to="/app/reports/$reportId" params={{ reportId: report.id }}>
                        <bdi className="strong cut">{report.name}</bdi>
                        <small className="cut">
                          <bdi>{dashboards.data?.data.find(({ id }) => id === report.dashboard_id)?.name ?? ''}</bdi>
                        </small>
                      </Link>
                    </td>
                    <td className="when">
                      <ReportState report={report} />
                    </td>
                    <td className="wide">
                      {report.schedule ? scheduleText(report.schedule, words) : words('reports:byHand')}
                    </td>
                    <td className="faint nowrap wide">
                      {report.next_run_at === null ? '–' : <TimeAgo at={report.next_run_at} />}
                    </td>
                    <td className="end figure wide">{formatNumber(report.recipients.length)}</td>
                    {mayManage && (
                      <td className="end wide">
                        {report.schedule && (
                          <Button
                            look="quiet"
                            onClick={() =>
                              turn.mutate({ id: report.id, enabled: !report.enabled || isStopped(report) })
                            }
                          >
                            {words(report.enabled && !isStopped(report) ? 'reports:pause' : 'reports:resume')}
                          </Button>
                        )}
                      </td>
                    )}
                  </Row>
                ))}
              </tbody>
            </table>
          </>
        )}
      </LoadedRows>
      {isAdding && (
        <Suspense>
          <ReportDialog report={null} onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </Screen>
  )
}

function isStopped({ paused_reason: reason }: Report): boolean {
  return reason !== null
}

/** Whether a report is mailed by itself, and if not, why. */
export function ReportState({ report }: { report: Report }) {
  const words = useWords()
  const { schedule, enabled, paused_reason: reason } = report
  if (schedule === null) return <Status tone="plain">{words('reports:states.byHand')}</Status>
  if (reason !== null) return <Status tone="warn">{words('reports:states.stopped')}</Status>
  return (
    <Status tone={enabled ? 'ok' : 'plain'} {...(!enabled && { icon: 'pause' })}>
      {words(enabled ? 'reports:states.on' : 'reports:states.off')}
    </Status>
  )
}

function Summary({ reports }: { reports: Report[] }) {
  const words = useWords()
  const stopped = reports.filter(isStopped).length
  const running = reports.filter((each) => each.schedule && each.enabled && !isStopped(each)).length
  const shown = stopped > 0 ? stopped : running
  return (
    <Lede>
      {words(stopped > 0 ? 'reports:lede.stopped' : 'reports:lede.running', {
        count: shown,
        n: formatNumber(shown),
        all: formatNumber(reports.length),
      })}
    </Lede>
  )
}
