import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { Filter } from '../../app/list-state.ts'
import { useMay } from '../../app/me.ts'
import { Call } from '../../frame/call.tsx'
import { Screen, Lede } from '../../frame/screen.tsx'
import { LoadedRows, Row, UnseenHead } from '../../frame/loaded.tsx'
import { chipsOf } from '../../list/filter/conditions.ts'
import { answerOf, api } from '../../session/api.ts'
import { formatNumber } from '../../words/format.ts'
import { TimeAgo } from '../../words/time-ago.tsx'
import { useWords } from '../../words/words.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Empty } from '../../../ui/parts.tsx'

/** Which groups of people are there? */
export function Segments() {
  const words = useWords()
  const navigate = useNavigate()
  const mayManage = useMay('segments.manage')
  const maySend = useMay('dispatch.send')
  const list = useQuery({
    queryKey: ['segments'],
    queryFn: () => answerOf(api.GET('/v1/segments', { params: { query: { limit: 100 } } })),
  })
  const add = mayManage && (
    <Link className="button primary" to="/app/segments/$segmentId" params={{ segmentId: 'new' }}>
      <Icon name="plus" isSmall />
      {words('segments:new')}
    </Link>
  )
  return (
    <Screen title={words('frame:screens.segments')} end={add}>
      <LoadedRows
        query={list}
        empty={
          <Empty title={words('segments:empty')} actions={add}>
            <p>{words('segments:emptyText')}</p>
            <Call path="/v1/segments" body={'{"name": "…", "filter": {"all": […]}}'} />
          </Empty>
        }
      >
        {(rows) => (
          <>
            <Lede sub={words('segments:sub')}>
              {words('segments:lede.list', { count: rows.length, n: formatNumber(rows.length) })}
            </Lede>
            <table className="table tall segments" aria-label={words('frame:screens.segments')}>
              <thead>
                <tr>
                  <th>{words('segments:segment')}</th>
                  <th className="end wide">{words('segments:conditions')}</th>
                  <th className="end wide">{words('list:fields.updated_at')}</th>
                  {maySend && <UnseenHead className="end">{words('segments:invite')}</UnseenHead>}
                </tr>
              </thead>
              <tbody>
                {rows.map(({ id, name, description, filter, updated_at }) => (
                  <Row
                    key={id}
                    onOpen={() => void navigate({ to: '/app/segments/$segmentId', params: { segmentId: id } })}
                  >
                    <td className="first">
                      <Link className="pair" to="/app/segments/$segmentId" params={{ segmentId: id }}>
                        <bdi className="strong cut">{name}</bdi>
                        {description !== '' && (
                          <small className="cut">
                            <bdi>{description}</bdi>
                          </small>
                        )}
                      </Link>
                    </td>
                    <td className="end figure wide">{formatNumber(chipsOf(filter as Filter).length)}</td>
                    <td className="end faint nowrap wide">
                      <TimeAgo at={updated_at} />
                    </td>
                    {maySend && (
                      <td className="end when">
                        <Link
                          className="button quiet"
                          to="/app/invitations/new"
                          search={{ segment: id }}
                          aria-label={words('segments:inviteOf', { name })}
                        >
                          <Icon name="send" isSmall />
                          <span className="only-wide">{words('segments:invite')}</span>
                        </Link>
                      </td>
                    )}
                  </Row>
                ))}
              </tbody>
            </table>
          </>
        )}
      </LoadedRows>
    </Screen>
  )
}
