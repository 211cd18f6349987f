import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { Note } from '../../../../ui/parts.tsx'
import { Problem } from '../../../frame/failure.tsx'
import { answerOf, api } from '../../../session/api.ts'
import { useWords } from '../../../words/words.ts'
import { shown } from '../model/texts.ts'
import { useBuild, useBuilder, useDraft } from '../use-builder.ts'

/** The draft by SMS or phone, to reply to. Each reply goes through the real conversation, and nothing is stored. */
export function Conversation({ channel, language }: { channel: 'sms' | 'voice'; language: string }) {
  const words = useWords()
  const builder = useBuilder()
  const draft = useDraft()
  const revision = useBuild((state) => state.revision)
  const [turns, setTurns] = useState<string[]>([])
  const [reply, setReply] = useState('')
  const log = useRef<HTMLDivElement>(null)
  const { data, error, refetch } = useQuery({
    queryKey: ['simulation', builder.id, revision, channel, language, turns],
    queryFn: () =>
      answerOf(
        api.POST('/v1/surveys/{id}/simulate', {
          params: { path: { id: builder.id } },
          body: { channel, language, turns },
        }),
      ),
    placeholderData: (before) => before,
  })
  useEffect(() => {
    log.current?.scrollTo({ top: log.current.scrollHeight })
  }, [data])
  const titleAt = (path: string) => {
    const question = draft.questions[Number(path.split('.')[1])]
    return shown(question?.title, draft) || (question?.id ?? '')
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (reply.trim() === '') return
    setTurns([...turns, reply])
    setReply('')
  }
  if (error) return <Problem error={error} onRetry={() => void refetch()} />
  return (
    <>
      <div className="device talk">
        <div ref={log} className="log" role="log" lang={data?.language} tabIndex={0}>
          {data?.turns.map(({ heard, say }, at) => (
            <div key={at}>
              {heard !== null && (
                <p className="mine">
                  <span className="unseen">{words('build:you')}: </span>
                  <bdi>{heard}</bdi>
                </p>
              )}
              {say.trim() !== '' && <p className="said">{say.trim()}</p>}
            </div>
          ))}
        </div>
        {data?.state === 'asking' ? (
          <form onSubmit={submit}>
            <input
              className="input"
              aria-label={words(channel === 'sms' ? 'build:reply' : 'build:spoken')}
              placeholder={words(channel === 'sms' ? 'build:reply' : 'build:spoken')}
              maxLength={1600}
              value={reply}
              onChange={({ target }) => setReply(target.value)}
            />
            <Button type="submit" look="primary" size="square" aria-label={words('build:sendReply')}>
              <Icon name="send" isSmall flips />
            </Button>
          </form>
        ) : (
          data && <p className="over">{words('build:talkOver')}</p>
        )}
      </div>
      {data?.lint.map(({ path, message }) => (
        <div key={path + message} lang="en">
          <Note tone="warn">
            <bdi className="strong">{titleAt(path)}</bdi> {message}
          </Note>
        </div>
      ))}
    </>
  )
}
