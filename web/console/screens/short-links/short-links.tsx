import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { Empty, Status } from '../../../ui/parts.tsx'
import { useMay } from '../../app/me.ts'
import { Call } from '../../frame/call.tsx'
import { Lede, Screen, NewButton } from '../../frame/screen.tsx'
import { LoadedRows, Row } from '../../frame/loaded.tsx'
import { shortUrlsQuery } from '../../links/short-urls.ts'
import { surveyNamesQuery } from '../../list/names.ts'
import { formatNumber, countText } from '../../words/format.ts'
import { TimeAgo } from '../../words/time-ago.tsx'
import { useWords } from '../../words/words.ts'
import { stateOf } from './link-state.ts'

const NewShortLink = lazy(() => import('./new-short-link.tsx').then((each) => ({ default: each.NewShortLink })))

/** Which short links are there, and who follows them? */
export function ShortLinks() {
  const words = useWords()
  const navigate = useNavigate()
  const mayManage = useMay('links.manage')
  const [isMaking, setMaking] = useState(false)
  const surveys = useQuery(surveyNamesQuery)
  const list = useQuery(shortUrlsQuery)
  const add = mayManage && <NewButton label={words('short-links:new')} onPress={() => setMaking(true)} />
  const nameOf = (id: string | null) => surveys.data?.data.find((survey) => survey.id === id)?.name
  return (
    <Screen title={words('frame:screens.shortLinks')} end={add}>
      <LoadedRows
        query={list}
        empty={
          <Empty title={words('short-links:empty')} actions={add}>
            <p>{words('short-links:emptyText')}</p>
            <Call path="/v1/short-urls" body={'{"survey_id": "srv_…"}'} />
          </Empty>
        }
      >
        {(rows) => (
          <>
            <Lede sub={words('short-links:sub')}>
              {words('short-links:lede', {
                count: list.data?.count?.all.n ?? rows.length,
                n: countText(list.data?.count?.all ?? { n: rows.length, exact: true }, words),
              })}
            </Lede>
            <table className="table tall" aria-label={words('frame:screens.shortLinks')}>
              <thead>
                <tr>
                  <th>{words('short-links:link')}</th>
                  <th>{words('list:fields.state')}</th>
                  <th className="wide">{words('short-links:leadsTo')}</th>
                  <th className="end wide">{words('short-links:clicks')}</th>
                  <th className="end wide">{words('list:fields.created_at')}</th>
                </tr>
              </thead>
              <tbody>
                {rows.map((link) => (
                  <Row
                    key={link.id}
                    onOpen={() => void navigate({ to: '/app/short-links/$linkId', params: { linkId: link.id } })}
                  >
                    <td className="first">
                      <Link className="pair" to="/app/short-links/$linkId" params={{ linkId: link.id }}>
                        <bdi className="strong cut" dir="ltr">
                          {link.url.replace(/^https?:\/\//, '')}
                        </bdi>
                      </Link>
                    </td>
                    <td className="when">
                      <LinkStatus state={stateOf(link, Date.now())} />
                    </td>
                    <td className="who wide" style={{ maxWidth: 320 }}>
                      <Target name={nameOf(link.survey_id)} target={link.target} />
                    </td>
                    <td className="end figure wide">{formatNumber(link.clicks)}</td>
                    <td className="end faint nowrap wide">
                      <TimeAgo at={link.created_at} />
                    </td>
                  </Row>
                ))}
              </tbody>
            </table>
          </>
        )}
      </LoadedRows>
      <Suspense>{isMaking && <NewShortLink onClose={() => setMaking(false)} />}</Suspense>
    </Screen>
  )
}

function Target({ name, target }: { name: string | undefined; target: string }) {
  return name === undefined ? (
    <bdi className="cut soft" dir="ltr" style={{ display: 'block' }} title={target}>
      {target}
    </bdi>
  ) : (
    <bdi className="cut" style={{ display: 'block' }}>
      {name}
    </bdi>
  )
}

export function LinkStatus({ state }: { state: ReturnType<typeof stateOf> }) {
  const words = useWords()
  return (
    <Status tone={state === 'works' ? 'ok' : 'plain'} {...(state === 'ended' && { icon: 'pause' })}>
      {words(`short-links:states.${state}`)}
    </Status>
  )
}
