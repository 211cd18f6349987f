import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../../api/client.ts'
import { useMay } from '../../app/me.ts'
import { answerOf, api } from '../../session/api.ts'
import { formatNumber } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'
import { Way } from './way.tsx'

type Survey = Schemas['Survey']

/** Mail, SMS and phone: an invitation goes to chosen people. */
export function Messages({ survey }: { survey: Survey }) {
  const words = useWords()
  const maySend = useMay('dispatch.send') && survey.state === 'live'
  const numbers = useQuery({
    queryKey: ['numbers'],
    queryFn: () => answerOf(api.GET('/v1/inbound-numbers', { params: { query: { limit: 100 } } })),
  })
  const send = (channel: Schemas['SendChannel']) => (
    <Link className="button" to="/app/invitations/new" search={{ survey: survey.id, channel }}>
      {words(`share:send.${channel}`)}
    </Link>
  )
  const own = numbers.data?.data ?? []
  const keywords = own.flatMap((number) =>
    number.keywords.filter(({ survey_id }) => survey_id === survey.id).map(({ keyword }) => keyword),
  )
  return (
    <>
      <Way icon="mail" title={words('share:mail')} {...(maySend && { action: send('email') })}>
        <p>{words('share:mailText')}</p>
      </Way>
      <Way
        icon="message-circle"
        title={words('share:phone')}
        {...(maySend && {
          action: (
            <>
              {send('sms')}
              {send('voice')}
            </>
          ),
        })}
      >
        <p>
          {words('share:phoneText')}{' '}
          {numbers.data && (
            <Link className="link" to="/app/numbers">
              {own.length === 0
                ? words('share:noNumber')
                : words('share:numbers', { count: own.length, n: formatNumber(own.length) })}
            </Link>
          )}
        </p>
        {keywords.length > 0 && (
          <p>{words('share:keywords', { count: keywords.length, keywords: keywords.join(', ') })}</p>
        )}
      </Way>
    </>
  )
}
