import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Icon } from '../../../../ui/icon.tsx'
import { Menu } from '../../../../ui/menu.tsx'
import { Problem } from '../../../frame/failure.tsx'
import { answerOf, api } from '../../../session/api.ts'
import { formatLanguage } from '../../../words/format.ts'
import { useWords } from '../../../words/words.ts'
import { Conversation } from './conversation.tsx'
import { languagesOf } from '../model/texts.ts'
import { useBuild, useBuilder, useDraft } from '../use-builder.ts'

const CHANNELS = [
  { name: 'phone', icon: 'smartphone' },
  { name: 'desktop', icon: 'monitor' },
  { name: 'mail', icon: 'mail' },
  { name: 'sms', icon: 'message-circle' },
  { name: 'voice', icon: 'mic' },
] as const
type Channel = (typeof CHANNELS)[number]['name']

interface Props {
  /** The question to show; the beginning unless given. */
  at?: string | undefined
}

/** The draft as people would get it: on a phone, on a desktop, by mail, by SMS and by phone. */
export function Preview({ at }: Props) {
  const words = useWords()
  const builder = useBuilder()
  const draft = useDraft()
  const revision = useBuild((state) => state.revision)
  const [channel, setChannel] = useState<Channel>('phone')
  const [chosen, setLanguage] = useState<string | null>(null)
  const [visit, setVisit] = useState(0)
  const languages = languagesOf(draft)
  const language = chosen !== null && languages.includes(chosen) ? chosen : draft.default_language
  const link = useQuery({
    queryKey: ['preview', builder.id],
    queryFn: () => answerOf(api.POST('/v1/surveys/{id}/preview-links', { params: { path: { id: builder.id } } })),
    staleTime: 20 * 3_600_000,
  })
  const isEmpty = draft.questions.length === 0
  return (
    <aside className="stage" aria-label={words('build:preview')}>
      <div className="row">
        <div className="segmented" role="group" aria-label={words('build:channel')}>
          {CHANNELS.map(({ name, icon }) => (
            <button
              key={name}
              type="button"
              aria-pressed={channel === name}
              aria-label={words(`build:channels.${name}`)}
              title={words(`build:channels.${name}`)}
              onClick={() => setChannel(name)}
            >
              <Icon name={icon} />
              {channel === name && <span>{words(`build:channels.${name}`)}</span>}
            </button>
          ))}
        </div>
        {languages.length > 1 && (
          <Menu
            label={words('build:previewLanguage', { language: formatLanguage(language) })}
            groups={[
              {
                items: languages.map((each) => ({
                  label: formatLanguage(each),
                  isChosen: each === language,
                  onChoose: () => setLanguage(each),
                })),
              },
            ]}
          >
            {formatLanguage(language)}
            <Icon name="chevron-down" isSmall />
          </Menu>
        )}
      </div>
      {isEmpty ? (
        <p className="soft nothing">{words('build:previewEmpty')}</p>
      ) : channel === 'sms' || channel === 'voice' ? (
        <Conversation key={`${channel} ${language} ${visit}`} channel={channel} language={language} />
      ) : link.error ? (
        <Problem error={link.error} onRetry={() => void link.refetch()} />
      ) : (
        link.data && (
          <Frame
            key={`${channel} ${language} ${visit} ${link.data.token}`}
            channel={channel}
            token={link.data.token}
            language={language}
            at={at}
            revision={revision}
          />
        )
      )}
      {!isEmpty && (
        <p className="faint foot">
          {words('build:notKept')}{' '}
          <button type="button" className="link" onClick={() => setVisit(visit + 1)}>
            {words('build:again')}
          </button>
        </p>
      )}
    </aside>
  )
}

const MANY = 50
const QUIET_MS = 2_500

interface FrameProps {
  channel: 'phone' | 'desktop' | 'mail'
  token: string
  language: string
  at: string | undefined
  revision: string
}

/** The real page, by a path on this server: the address of a link may name another host. */
function Frame({ channel, token, language, at, revision }: FrameProps) {
  const words = useWords()
  const builder = useBuilder()
  const frame = useRef<HTMLIFrameElement>(null)
  const isFirst = useRef(true)
  const [start] = useState(at)
  const page = new URLSearchParams({ token, lang: language, ...(start !== undefined && { at: start }) })
  const address =
    channel === 'mail'
      ? `/public/previews/${token}/email?${new URLSearchParams({ lang: language })}`
      : `/public/s/${builder.id}?${page}`
  const draft = useDraft()
  // A page of many questions takes a moment to draw, which nobody should feel while typing.
  const patience = draft.questions.length > MANY ? QUIET_MS : 0
  const waiting = patience > 0 ? draft : null
  const show = useEffectEvent(() => {
    const shown = frame.current
    if (!shown) return
    if (channel === 'mail') shown.src = address
    else shown.contentWindow?.postMessage({ type: 'earshot:reload', ...(at !== undefined && { at }) }, location.origin)
  })
  // Not when the address alone changes: the draft is the same then.
  useEffect(() => {
    if (isFirst.current) return void (isFirst.current = false)
    const timer = setTimeout(() => show(), patience)
    return () => clearTimeout(timer)
  }, [at, revision, waiting, patience])
  return (
    <div className={`device ${channel}`}>
      <iframe ref={frame} src={address} title={words(`build:channels.${channel}`)} />
    </div>
  )
}
