import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Problem } from '../../frame/failure.tsx'
import { Loaded } from '../../frame/loaded.tsx'
import { answerOf, api, afterPause } from '../../session/api.ts'
import { formatLanguage } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'
import { WIDTHS, type Width } from './state.ts'
import type { Draft } from './state.ts'

interface Props {
  id: string
  /** Null: the mail as it is stored. */
  draft: Draft | null
  language: string
  width: Width
  onWidth: (width: Width) => void
}

/** The mail with example data, shortly after each change. */
export function MailPreview({ id, draft, language, width, onWidth }: Props) {
  const words = useWords()
  const asked = draft && { content: draft.content, default_language: draft.default_language }
  const preview = useQuery({
    queryKey: ['template-preview', id, language, asked],
    queryFn: async ({ signal }) => {
      if (asked) await afterPause(signal)
      return answerOf(
        api.POST('/v1/email-templates/{id}/preview', { params: { path: { id } }, body: { language, ...asked } }),
      )
    },
    placeholderData: keepPreviousData,
    retry: false,
  })
  return (
    <section className="preview" aria-label={words('templates:preview')}>
      <div className="segmented" role="group" aria-label={words('templates:shownAs')}>
        {WIDTHS.map((each) => (
          <button key={each} type="button" aria-pressed={each === width} onClick={() => onWidth(each)}>
            {words(`templates:as.${each}`)}
          </button>
        ))}
      </div>
      {preview.error && preview.data && <Problem error={preview.error} onRetry={() => void preview.refetch()} />}
      <Loaded query={preview}>
        {({ subject, html, text, language: used }) => (
          <div className={`mail ${width}`} lang={used}>
            <p className="strong" dir="auto">
              {subject}
            </p>
            {width === 'text' ? (
              <pre className="code" tabIndex={0} dir="auto">
                {text}
              </pre>
            ) : (
              <MailFrame html={html} title={words('templates:mailIn', { language: formatLanguage(used) })} />
            )}
          </div>
        )}
      </Loaded>
      <p className="faint">{words('templates:example')}</p>
    </section>
  )
}

/** A frame of an own origin and policy: the mail has its styles, and runs nothing. */
function MailFrame({ html, title }: { html: string; title: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const show = () => frame.current?.contentWindow?.postMessage({ html }, '*')
  useEffect(show, [html])
  return <iframe ref={frame} src="/app/frames/mail" sandbox="allow-scripts" title={title} onLoad={show} />
}
