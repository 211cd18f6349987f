import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { ApiProblem, type Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyText } from '../../../ui/copy-text.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Status } from '../../../ui/parts.tsx'
import { useMay } from '../../app/me.ts'
import { Missing, Problem } from '../../frame/failure.tsx'
import { Loaded } from '../../frame/loaded.tsx'
import { Screen, SurveyTabs } from '../../frame/screen.tsx'
import { QrCode } from '../../links/qr-code.tsx'
import { shortUrlsQuery, useClicks, type ShortUrl, PUBLIC_BASE } from '../../links/short-urls.ts'
import { SURVEY_TONES } from '../../list/states.ts'
import { answerOf, api } from '../../session/api.ts'
import { formatNumber } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'
import { Came, useCame } from './came.tsx'
import { Messages } from './messages.tsx'
import { PreviewLink } from './preview-link.tsx'
import { SingleUseLinks } from './single-use-links.tsx'
import { Way } from './way.tsx'
import { Website } from './website.tsx'

type Survey = Schemas['Survey']

/** How does it get to people? */
export function Share() {
  const words = useWords()
  const { surveyId = '' } = useParams({ strict: false })
  const survey = useQuery({
    queryKey: ['surveys', surveyId],
    queryFn: () => answerOf(api.GET('/v1/surveys/{id}', { params: { path: { id: surveyId } } })),
  })
  if (survey.error instanceof ApiProblem && survey.error.status === 404) return <Missing />
  return (
    <Screen
      title={survey.data?.name ?? words('frame:survey.share')}
      above={{ to: '/app/surveys', label: words('frame:screens.surveys') }}
      end={
        survey.data && (
          <Status tone={SURVEY_TONES[survey.data.state]}>{words(`list:values.${survey.data.state}`)}</Status>
        )
      }
    >
      <SurveyTabs id={surveyId} current="share" />
      <Loaded query={survey}>
        {(found) => (found.version === 0 ? <Draft survey={found} /> : <Ways survey={found} />)}
      </Loaded>
    </Screen>
  )
}

function Draft({ survey }: { survey: Survey }) {
  const words = useWords()
  const mayManage = useMay('surveys.manage')
  return (
    <div className="in">
      <p className="lede" role="status">
        {words('share:lede.draft')}
      </p>
      <p className="sub">{words('share:lede.draftSub')}</p>
      <ul className="ways" style={{ marginBlockStart: 20, maxWidth: 760 }}>
        {mayManage && (
          <Way
            icon="pencil"
            title={words('share:publish')}
            action={
              <Link className="button primary" to="/app/surveys/$surveyId/build" params={{ surveyId: survey.id }}>
                {words('share:toBuild')}
              </Link>
            }
          >
            <p>{words('share:publishText')}</p>
          </Way>
        )}
        <PreviewLink surveyId={survey.id} />
      </ul>
    </div>
  )
}

function Ways({ survey }: { survey: Survey }) {
  const words = useWords()
  const links = useQuery(shortUrlsQuery)
  const short = links.data?.data.find(({ survey_id }) => survey_id === survey.id)
  const came = useCame(survey.id)
  return (
    <div className="in">
      <div role="status">
        <p className="lede">{words(`share:lede.${caseOf(survey)}`)}</p>
        {came.total !== undefined && (
          <p className="sub">{words('share:lede.came', { count: came.total, n: formatNumber(came.total) })}</p>
        )}
      </div>
      <div className="beside">
        <div className="main">
          <ul className="ways">
            <PageLink survey={survey} short={short} />
            <Website survey={survey} />
            <Messages survey={survey} />
            <SingleUseLinks survey={survey} />
            <PreviewLink surveyId={survey.id} />
          </ul>
        </div>
        <aside className="rail" aria-label={words('share:beside')}>
          <section className="section">
            <header>
              <h2>{words('share:qr')}</h2>
            </header>
            {links.error ? (
              <Problem error={links.error} onRetry={() => void links.refetch()} />
            ) : short ? (
              <QrCode link={short} label={words('share:qrOf', { url: short.url })} />
            ) : (
              links.data && <NoQrCode survey={survey} />
            )}
          </section>
          <Came rows={came.rows} survey={survey} />
        </aside>
      </div>
    </div>
  )
}

function caseOf({ accepting_responses: isOpen, state, dedupe }: Survey): string {
  if (state !== 'live') return state
  if (!isOpen) return 'notOpen'
  return dedupe === 'single_use' ? 'personal' : 'open'
}

function PageLink({ survey, short }: { survey: Survey; short: ShortUrl | undefined }) {
  const words = useWords()
  const clicks = useClicks(short?.id)
  const totals = clicks.data?.totals
  return (
    <Way
      icon="link"
      title={words('share:link')}
      {...(short && {
        action: (
          <Link className="button quiet" to="/app/short-links/$linkId" params={{ linkId: short.id }}>
            {words('share:clicks')}
          </Link>
        ),
      })}
    >
      <CopyText
        text={short?.url ?? `${PUBLIC_BASE}/public/s/${survey.id}`}
        copy={words('frame:copy')}
        copied={words('frame:copied')}
      />
      {totals && (
        <p>
          {words('share:clicked', { count: totals.human, n: formatNumber(totals.human) })}
          {totals.bot > 0 && ` ${words('share:byPrograms', { count: totals.bot, n: formatNumber(totals.bot) })}`}
        </p>
      )}
    </Way>
  )
}

function NoQrCode({ survey }: { survey: Survey }) {
  const words = useWords()
  const client = useQueryClient()
  const mayMake = useMay('links.manage')
  const make = useMutation({
    mutationFn: () => answerOf(api.POST('/v1/short-urls', { body: { survey_id: survey.id } as never })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['short-urls'] }),
  })
  return (
    <>
      <p className="soft">{words('share:noQr')}</p>
      {mayMake && (
        <p className="links-row">
          <Button isBusy={make.isPending} onClick={() => make.mutate()}>
            <Icon name="plus" isSmall />
            {words('share:makeShort')}
          </Button>
        </p>
      )}
      {make.error && <Problem error={make.error} />}
    </>
  )
}
