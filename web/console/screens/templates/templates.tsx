import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { Empty } from '../../../ui/parts.tsx'
import { useMay } from '../../app/me.ts'
import { Call } from '../../frame/call.tsx'
import { Screen, Lede, NewButton } from '../../frame/screen.tsx'
import { LoadedRows, Row } from '../../frame/loaded.tsx'
import { answerOf, api } from '../../session/api.ts'
import { formatLanguage, formatNumber } from '../../words/format.ts'
import { TimeAgo } from '../../words/time-ago.tsx'
import { useWords } from '../../words/words.ts'

const NewTemplate = lazy(() => import('./new-template.tsx').then((each) => ({ default: each.NewTemplate })))

/** Which mails are there? */
export function Templates() {
  const words = useWords()
  const navigate = useNavigate()
  const mayManage = useMay('templates.manage')
  const [isMaking, setMaking] = useState(false)
  const list = useQuery({
    queryKey: ['templates'],
    queryFn: () => answerOf(api.GET('/v1/email-templates', { params: { query: { limit: 100 } } })),
  })
  const add = mayManage && <NewButton label={words('templates:new')} onPress={() => setMaking(true)} />
  return (
    <Screen title={words('frame:screens.templates')} end={add}>
      <LoadedRows
        query={list}
        empty={
          <Empty title={words('templates:empty')} actions={add}>
            <p>{words('templates:emptyText')}</p>
            <Call path="/v1/email-templates" />
          </Empty>
        }
      >
        {(rows) => (
          <>
            <Lede sub={words('templates:sub')}>
              {words('templates:lede', { count: rows.length, n: formatNumber(rows.length) })}
            </Lede>
            <table className="table tall" aria-label={words('frame:screens.templates')}>
              <thead>
                <tr>
                  <th>{words('templates:template')}</th>
                  <th className="wide">{words('list:fields.languages')}</th>
                  <th className="end wide">{words('list:fields.version')}</th>
                  <th className="end">{words('list:fields.updated_at')}</th>
                </tr>
              </thead>
              <tbody>
                {rows.map(({ id, name, languages, version, updated_at }) => (
                  <Row
                    key={id}
                    onOpen={() => void navigate({ to: '/app/templates/$templateId', params: { templateId: id } })}
                  >
                    <td className="first">
                      <Link to="/app/templates/$templateId" params={{ templateId: id }}>
                        <bdi className="strong cut">{name}</bdi>
                      </Link>
                    </td>
                    <td className="wide">{languages.map(formatLanguage).join(', ')}</td>
                    <td className="end figure wide">{formatNumber(version)}</td>
                    <td className="end faint nowrap when">
                      <TimeAgo at={updated_at} />
                    </td>
                  </Row>
                ))}
              </tbody>
            </table>
          </>
        )}
      </LoadedRows>
      <Suspense>{isMaking && <NewTemplate onClose={() => setMaking(false)} />}</Suspense>
    </Screen>
  )
}
