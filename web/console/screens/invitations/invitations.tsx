import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Icon } from '../../../ui/icon.tsx'
import { Empty, Status } from '../../../ui/parts.tsx'
import { unlessLive } from '../../app/live.ts'
import { useMay } from '../../app/me.ts'
import { LoadedRows, Row } from '../../frame/loaded.tsx'
import { Screen } from '../../frame/screen.tsx'
import { surveyNamesQuery } from '../../list/names.ts'
import { answerOf, api } from '../../session/api.ts'
import { formatNumber } from '../../words/format.ts'
import { TimeAgo } from '../../words/time-ago.tsx'
import { useWords } from '../../words/words.ts'
import { isMoving, STATUS_TONES, sumOf } from './invitation-words.ts'

const MOVING_MS = 5_000

/** Is it going out? */
export function Invitations() {
  const words = useWords()
  const navigate = useNavigate()
  const maySend = useMay('dispatch.send')
  const surveys = useQuery(surveyNamesQuery)
  const list = useQuery({
    queryKey: ['invitations'],
    queryFn: () => answerOf(api.GET('/v1/invitations', { params: { query: { limit: 100 } } })),
    refetchInterval: ({ state }) => (state.data?.data.some(isMoving) ? unlessLive(MOVING_MS)() : false),
  })
  const add = maySend && (
    <Link className="button primary" to="/app/invitations/new">
      <Icon name="send" isSmall />
      {words('invitations:new')}
    </Link>
  )
  const nameOf = (id: string) => surveys.data?.data.find((survey) => survey.id === id)?.name ?? ''
  return (
    <Screen title={words('frame:screens.invitations')} end={add}>
      <LoadedRows
        query={list}
        empty={
          <Empty title={words('invitations:empty')} actions={add}>
            <p>{words('invitations:emptyText')}</p>
          </Empty>
        }
      >
        {(rows) => (
          <table className="table tall" aria-label={words('frame:screens.invitations')}>
            <thead>
              <tr>
                <th>{words('invitations:invitation')}</th>
                <th>{words('list:fields.state')}</th>
                <th className="end wide">{words('invitations:asked')}</th>
                <th className="end wide">{words('invitations:answered')}</th>
                <th className="end wide">{words('invitations:leftOut')}</th>
                <th className="end wide">{words('list:fields.created_at')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <Row
                  key={row.id}
                  onOpen={() =>
                    void navigate({ to: '/app/invitations/$invitationId', params: { invitationId: row.id } })
                  }
                >
                  <td className="first">
                    <Link className="pair" to="/app/invitations/$invitationId" params={{ invitationId: row.id }}>
                      <bdi className="strong cut">{row.name ?? nameOf(row.survey_id)}</bdi>
                      <small className="cut">
                        {words(`list:values.${row.channel}`)} <bdi>{nameOf(row.survey_id)}</bdi>
                      </small>
                    </Link>
                  </td>
                  <td className="when">
                    <Status tone={STATUS_TONES[row.status]}>{words(`invitations:statuses.${row.status}`)}</Status>
                  </td>
                  <td className="end figure wide">{formatNumber(row.accepted + row.deferred)}</td>
                  <td className="end figure wide">{formatNumber(row.progress.by_status['completed'] ?? 0)}</td>
                  <td className="end figure wide">{formatNumber(sumOf(row.skipped))}</td>
                  <td className="end faint nowrap wide">
                    <TimeAgo at={row.created_at} />
                  </td>
                </Row>
              ))}
            </tbody>
          </table>
        )}
      </LoadedRows>
    </Screen>
  )
}
