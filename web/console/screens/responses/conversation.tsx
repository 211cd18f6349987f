import { useQuery } from '@tanstack/react-query'
import { Icon } from '../../../ui/icon.tsx'
import { Loaded } from '../../frame/loaded.tsx'
import { answerOf, api } from '../../session/api.ts'
import { formatMoment, formatRate } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'

/** Below this a word of a call was read back to the person. */
const SURE = 0.5

/** The words that a response was given in, by SMS or in a call. */
export function Conversation({
  responseId,
  language,
  titleOf,
}: {
  responseId: string
  language: string
  titleOf: (id: string) => string
}) {
  const words = useWords()
  const conversation = useQuery({
    queryKey: ['response', responseId, 'conversation'],
    queryFn: () => answerOf(api.GET('/v1/responses/{rid}/conversation', { params: { path: { rid: responseId } } })),
    retry: false,
  })
  return (
    <section className="section" style={{ marginTop: 16 }}>
      <header>
        <h2>{words('responses:conversation')}</h2>
        {conversation.data && <span className="end">{words(`responses:ended.${conversation.data.status}`)}</span>}
      </header>
      <Loaded query={conversation} skeletonRows={3}>
        {({ turns, number }) => (
          <ol className="timeline">
            {turns.map(({ at, from, text, question_id, confidence }, place) => (
              <li key={place}>
                <span className={`dot ${confidence !== null && confidence < SURE ? 'bad' : ''}`}>
                  <Icon name={from === 'us' ? 'send' : 'message-square-text'} isSmall />
                </span>
                <div>
                  <b className="strong">{from === 'us' ? <bdi dir="ltr">{number}</bdi> : words('responses:person')}</b>{' '}
                  {question_id !== null && <bdi className="faint">{titleOf(question_id)}</bdi>}
                  <p lang={language} dir="auto" style={{ whiteSpace: 'pre-line' }}>
                    {text}
                  </p>
                  {confidence !== null && (
                    <span className="faint">{words('responses:sure', { share: formatRate(100 * confidence) })} </span>
                  )}
                  <time dateTime={at}>{formatMoment(at)}</time>
                </div>
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </section>
  )
}
