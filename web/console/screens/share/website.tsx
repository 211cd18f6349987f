import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { CopyText } from '../../../ui/copy-text.tsx'
import { Status } from '../../../ui/parts.tsx'
import { useMay } from '../../app/me.ts'
import { Problem } from '../../frame/failure.tsx'
import { PUBLIC_BASE } from '../../links/short-urls.ts'
import { answerOf, api } from '../../session/api.ts'
import { TimeAgo } from '../../words/time-ago.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import type { Schemas } from '../../../api/client.ts'
import { MODES, type ShareState, snippetOf } from './state.ts'
import { Way } from './way.tsx'

type Survey = Schemas['Survey']

const LOOK_MS = 30_000
const SHOWN = 5

/** The code for a website, how it looks there, and whether it was seen anywhere. */
export function Website({ survey }: { survey: Survey }) {
  const words = useWords()
  const language = useLanguage()
  const navigate = useNavigate()
  const mayManage = useMay('surveys.manage')
  const { mode = MODES[0] }: ShareState = useSearch({ strict: false })
  const shown = survey.languages?.includes(language) === true ? language : survey.default_language
  const frame = new URLSearchParams({ survey: survey.id, mode, language: shown })
  return (
    <Way
      icon="monitor"
      title={words('share:website')}
      {...(mayManage && {
        action: (
          <Link
            className="button quiet"
            to="/app/surveys/$surveyId/build"
            params={{ surveyId: survey.id }}
            search={{ view: 'rules' }}
          >
            {words('share:whenOpens')}
          </Link>
        ),
      })}
    >
      <div className="segmented" role="group" aria-label={words('share:mode')}>
        {MODES.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={mode === each}
            onClick={() => void navigate({ to: '.', search: each === MODES[0] ? {} : { mode: each } } as never)}
          >
            {words(`share:modes.${each}`)}
          </button>
        ))}
      </div>
      <CopyText
        isBlock
        text={snippetOf(PUBLIC_BASE, survey.id, mode)}
        copy={words('frame:copy')}
        copied={words('frame:copied')}
      />
      <SeenOn surveyId={survey.id} />
      {survey.accepting_responses && (
        <>
          <iframe
            key={mode}
            className="website-frame"
            src={`/app/frames/website?${frame}`}
            title={words('share:frame', { mode: words(`share:modes.${mode}`) })}
          />
          <p className="faint">{words('share:frameCounts')}</p>
        </>
      )}
    </Way>
  )
}

function SeenOn({ surveyId }: { surveyId: string }) {
  const words = useWords()
  const seen = useQuery({
    queryKey: ['survey', surveyId, 'embeds'],
    queryFn: () => answerOf(api.GET('/v1/surveys/{id}/embeds', { params: { path: { id: surveyId } } })),
    refetchInterval: LOOK_MS,
  })
  if (seen.error) return <Problem error={seen.error} onRetry={() => void seen.refetch()} />
  if (!seen.data) return null
  if (seen.data.data.length === 0) return <Status tone="plain">{words('share:notSeen')}</Status>
  return (
    <ul>
      {seen.data.data.slice(0, SHOWN).map(({ origin, mode, last_seen_at }) => (
        <li key={`${origin} ${mode}`} className="meta">
          <Status tone="ok">
            <span>
              {words('share:seenOn')} <bdi dir="ltr">{origin.replace(/^https?:\/\//, '')}</bdi>
            </span>
          </Status>
          <span>{words(`share:modes.${mode}`)}</span>
          <TimeAgo at={last_seen_at} />
        </li>
      ))}
    </ul>
  )
}
