import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Icon } from '../../../../ui/icon.tsx'
import { Empty, Status, Tag } from '../../../../ui/parts.tsx'
import { LoadedRows, Row } from '../../../frame/loaded.tsx'
import { answerOf, api } from '../../../session/api.ts'
import { formatDay, formatMoment, formatNumber } from '../../../words/format.ts'
import { TimeAgo } from '../../../words/time-ago.tsx'
import { useWords } from '../../../words/words.ts'
import { Settings } from '../layout.tsx'
import { isMoving, isOpen, rowsOf, TONES, type Request } from './privacy-requests.ts'

const LOOK_MS = 5_000

/** Requests of people about their data, with the day until which each must be answered. */
export function Privacy() {
  const words = useWords()
  const requests = useQuery({
    queryKey: ['privacy-requests'],
    queryFn: () => answerOf(api.GET('/v1/gdpr/requests', { params: { query: { limit: 200 } } })),
    refetchInterval: ({ state }) => (state.data?.data.some(isMoving) ? LOOK_MS : false),
  })
  const add = (
    <Link to="/app/settings/privacy/new" className="button primary usual">
      <Icon name="plus" isSmall />
      {words('settings:privacy.new')}
    </Link>
  )
  return (
    <Settings name="privacy" end={add}>
      <LoadedRows
        query={requests}
        empty={
          <Empty title={words('settings:privacy.empty')} actions={add}>
            <p>{words('settings:privacy.emptyText')}</p>
          </Empty>
        }
      >
        {(rows) => (
          <>
            <Lede rows={rows} />
            <Requests rows={rows} />
          </>
        )}
      </LoadedRows>
    </Settings>
  )
}

function Lede({ rows }: { rows: Request[] }) {
  const words = useWords()
  const open = rows.filter(isOpen).toSorted((a, b) => Date.parse(a.due_at) - Date.parse(b.due_at))
  const late = open.filter(({ due_at }) => Date.parse(due_at) < Date.now()).length
  const [first] = open
  return (
    <p className="lede" role="status">
      {late > 0
        ? words('settings:privacy.lede.late', { count: late, n: formatNumber(late) })
        : first
          ? words('settings:privacy.lede.open', {
              count: open.length,
              n: formatNumber(open.length),
              when: formatDay(first.due_at),
            })
          : words('settings:privacy.lede.none')}
    </p>
  )
}

function Requests({ rows }: { rows: Request[] }) {
  const words = useWords()
  const navigate = useNavigate()
  return (
    <table className="table tall" aria-label={words('settings:places.privacy')}>
      <thead>
        <tr>
          <th>{words('settings:privacy.request')}</th>
          <th>{words('list:fields.status')}</th>
          <th className="end wide">{words('settings:privacy.found')}</th>
          <th className="end wide">{words('settings:privacy.due')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((request) => {
          const params = { requestId: request.id }
          return (
            <Row key={request.id} onOpen={() => void navigate({ to: '/app/settings/privacy/$requestId', params })}>
              <td className="first">
                <span className="pair">
                  <span className="cut">
                    <Link to="/app/settings/privacy/$requestId" params={params} className="strong">
                      {words(`settings:privacy.kinds.${request.kind}`)}
                    </Link>{' '}
                    {request.dry_run && <Tag>{words('settings:privacy.dry')}</Tag>}
                  </span>
                  <small className="meta">
                    <span>
                      {words('settings:privacy.made')} <TimeAgo at={request.created_at} />
                    </span>
                    {isOpen(request) && (
                      <span className="narrow">
                        {words('settings:privacy.due')} {formatDay(request.due_at)}
                      </span>
                    )}
                  </small>
                </span>
              </td>
              <td>
                <Status tone={TONES[request.status]}>{words(`settings:privacy.statuses.${request.status}`)}</Status>
              </td>
              <td className="end figure wide">{formatNumber(rowsOf(request))}</td>
              <td className="end nowrap faint wide">
                {!request.dry_run && <time title={formatMoment(request.due_at)}>{formatDay(request.due_at)}</time>}
              </td>
            </Row>
          )
        })}
      </tbody>
    </table>
  )
}
