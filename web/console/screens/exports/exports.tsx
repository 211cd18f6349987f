import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Icon } from '../../../ui/icon.tsx'
import { Empty, Status } from '../../../ui/parts.tsx'
import { unlessLive } from '../../app/live.ts'
import { Call } from '../../frame/call.tsx'
import { Screen } from '../../frame/screen.tsx'
import { LoadedRows, Row } from '../../frame/loaded.tsx'
import { surveyNamesQuery } from '../../list/names.ts'
import { answerOf, api } from '../../session/api.ts'
import { formatDuration, formatNumber } from '../../words/format.ts'
import { TimeAgo } from '../../words/time-ago.tsx'
import { useWords } from '../../words/words.ts'
import { isMoving, secondsLeft, toneOf, type Run } from './runs.ts'
import { ExportTabs } from './tabs.tsx'

const MOVING_MS = 2_000

/** Can I have my data, whole? */
export function Exports() {
  const words = useWords()
  const list = useQuery({
    queryKey: ['exports'],
    queryFn: () => answerOf(api.GET('/v1/export-runs', { params: { query: { limit: 100 } } })),
    refetchInterval: ({ state }) => (state.data?.data.some(isMoving) ? unlessLive(MOVING_MS)() : false),
  })
  const add = (
    <Link className="button primary" to="/app/exports/new">
      <Icon name="plus" isSmall />
      {words('exports:new')}
    </Link>
  )
  return (
    <Screen title={words('frame:screens.exports')} end={add}>
      <ExportTabs current="runs" />
      <LoadedRows
        query={list}
        empty={
          <Empty title={words('exports:empty')} actions={add}>
            <p>{words('exports:emptyText')}</p>
            <Call path="/v1/export-runs" body={'{"source": "responses", "format": "csv"}'} />
          </Empty>
        }
      >
        {(runs) => (
          <>
            <Summary runs={runs} />
            <Runs runs={runs} />
          </>
        )}
      </LoadedRows>
    </Screen>
  )
}

function Summary({ runs }: { runs: Run[] }) {
  const words = useWords()
  const moving = runs.find(isMoving)
  if (moving) {
    const left = secondsLeft(moving, Date.now())
    return (
      <div className="in" style={{ flex: 'none', paddingBlockEnd: 0 }} role="status">
        <p className="lede">
          {words('exports:lede.building', {
            count: moving.progress.total_rows,
            rows: formatNumber(moving.progress.rows),
            total: formatNumber(moving.progress.total_rows),
          })}
        </p>
        {left !== null && <p className="sub">{words('exports:lede.left', { time: formatDuration(left * 1000) })}</p>}
      </div>
    )
  }
  const ready = runs.filter(({ status }) => status === 'completed').length
  return (
    <div className="in" style={{ flex: 'none', paddingBlockEnd: 0 }} role="status">
      <p className="lede">
        {ready === 0
          ? words('exports:lede.none')
          : words('exports:lede.ready', { count: ready, n: formatNumber(ready) })}
      </p>
    </div>
  )
}

function Runs({ runs }: { runs: Run[] }) {
  const words = useWords()
  const navigate = useNavigate()
  const surveys = useQuery(surveyNamesQuery)
  const nameOf = (id: string | null) => surveys.data?.data.find((survey) => survey.id === id)?.name
  return (
    <table className="table tall" aria-label={words('frame:screens.exports')} style={{ marginBlockStart: 16 }}>
      <thead>
        <tr>
          <th>{words('exports:export')}</th>
          <th>{words('list:fields.state')}</th>
          <th className="end wide">{words('exports:rows')}</th>
          <th className="end wide">{words('exports:files')}</th>
          <th className="wide">{words('exports:takenAt')}</th>
          <th className="wide">{words('exports:expires')}</th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <Row key={run.id} onOpen={() => void navigate({ to: '/app/exports/$runId', params: { runId: run.id } })}>
            <td className="first">
              <Link className="pair" to="/app/exports/$runId" params={{ runId: run.id }}>
                <b className="strong cut">
                  {words(`exports:sources.${run.source}`)}
                  {run.survey_id && <bdi> · {nameOf(run.survey_id) ?? ''}</bdi>}
                </b>
                <small>{words(`exports:formats.${run.format}`)}</small>
              </Link>
            </td>
            <td className="when">
              <Status tone={toneOf(run.status)}>{words(`exports:statuses.${run.status}`)}</Status>
            </td>
            <td className="end figure wide">{formatNumber(run.progress.rows)}</td>
            <td className="end figure wide">{formatNumber(run.progress.parts)}</td>
            <td className="faint nowrap wide">
              <TimeAgo at={run.snapshot_at} />
            </td>
            <td className="faint nowrap wide">
              {run.status === 'completed' && run.expires_at ? <TimeAgo at={run.expires_at} /> : '–'}
            </td>
          </Row>
        ))}
      </tbody>
    </table>
  )
}
