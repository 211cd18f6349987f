import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Icon } from '../../../ui/icon.tsx'
import { Empty, Tag } from '../../../ui/parts.tsx'
import { useMay } from '../../app/me.ts'
import { Call } from '../../frame/call.tsx'
import { Screen, Lede } from '../../frame/screen.tsx'
import { LoadedRows, Row } from '../../frame/loaded.tsx'
import { surveyNamesQuery } from '../../list/names.ts'
import { answerOf, api } from '../../session/api.ts'
import { formatNumber } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'

/** By which numbers do people answer by SMS and phone? */
export function Numbers() {
  const words = useWords()
  const navigate = useNavigate()
  const mayManage = useMay('numbers.manage')
  const surveys = useQuery(surveyNamesQuery)
  const list = useQuery({
    queryKey: ['numbers'],
    queryFn: () => answerOf(api.GET('/v1/inbound-numbers', { params: { query: { limit: 100 } } })),
  })
  const add = mayManage && (
    <Link className="button primary" to="/app/numbers/$numberId" params={{ numberId: 'new' }}>
      <Icon name="plus" isSmall />
      {words('numbers:new')}
    </Link>
  )
  const nameOf = (id: string | null) => surveys.data?.data.find((survey) => survey.id === id)?.name
  return (
    <Screen title={words('frame:screens.numbers')} end={add}>
      <LoadedRows
        query={list}
        empty={
          <Empty title={words('numbers:empty')} actions={add}>
            <p>{words('numbers:emptyText')}</p>
            <Call path="/v1/inbound-numbers" body={'{"number": "+49 30 901820"}'} />
          </Empty>
        }
      >
        {(rows) => (
          <>
            <Lede sub={words('numbers:sub')}>
              {words('numbers:lede', { count: rows.length, n: formatNumber(rows.length) })}
            </Lede>
            <table className="table tall" aria-label={words('frame:screens.numbers')}>
              <thead>
                <tr>
                  <th>{words('numbers:number')}</th>
                  <th>{words('numbers:can')}</th>
                  <th className="wide">{words('numbers:keywords')}</th>
                  <th className="wide">{words('numbers:defaultSurvey')}</th>
                </tr>
              </thead>
              <tbody>
                {rows.map(({ id, number, label, capabilities, keywords, default_survey_id }) => (
                  <Row
                    key={id}
                    onOpen={() => void navigate({ to: '/app/numbers/$numberId', params: { numberId: id } })}
                  >
                    <td className="first">
                      <Link className="pair" to="/app/numbers/$numberId" params={{ numberId: id }}>
                        <bdi className="strong cut" dir="ltr">
                          {number}
                        </bdi>
                        {label !== '' && (
                          <small className="cut">
                            <bdi>{label}</bdi>
                          </small>
                        )}
                      </Link>
                    </td>
                    <td className="when">{capabilities.map((each) => words(`list:values.${each}`)).join(', ')}</td>
                    <td className="wide">
                      <span className="filters">
                        {keywords.map(({ keyword }) => (
                          <Tag key={keyword}>{keyword}</Tag>
                        ))}
                        {keywords.length === 0 && <span className="faint">–</span>}
                      </span>
                    </td>
                    <td className="wide">
                      <bdi className="cut">{nameOf(default_survey_id) ?? '–'}</bdi>
                    </td>
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
