import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ApiProblem } from '../../../../api/client.ts'
import { Button } from '../../../../ui/button.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { Note, Status, Tag } from '../../../../ui/parts.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { reasonOf } from '../../../frame/failure.tsx'
import { Loaded } from '../../../frame/loaded.tsx'
import { answerOf, api, download } from '../../../session/api.ts'
import { formatDay, formatMoment, formatNumber } from '../../../words/format.ts'
import { useWords, type Words } from '../../../words/words.ts'
import { Settings } from '../layout.tsx'
import { Counts } from './privacy-counts.tsx'
import { isOpen, privacyRequestQuery, rowsOf, type Request } from './privacy-requests.ts'

const A_WEEK_MS = 7 * 86_400_000

/** One request: how far it is, and the copy or the certificate at its end. */
export function PrivacyRequest() {
  const words = useWords()
  const { requestId = '' } = useParams({ strict: false })
  const request = useQuery(privacyRequestQuery(requestId))
  const { data } = request
  return (
    <Settings
      name="privacy"
      title={words(data ? `settings:privacy.kinds.${data.kind}` : 'settings:privacy.request')}
      end={data && <Acts request={data} />}
    >
      <Loaded query={request}>{(shown) => <Whole request={shown} />}</Loaded>
    </Settings>
  )
}

function Whole({ request }: { request: Request }) {
  const words = useWords()
  const isErasure = request.kind === 'erasure'
  const hasCertificate =
    isErasure && !request.dry_run && (request.status === 'completed' || request.status === 'failed')
  const when = formatDay(request.due_at)
  return (
    <>
      <div role="status">
        <p className="lede">{ledeOf(request, words)}</p>
        {isOpen(request) ? (
          <p className="sub">
            {words(Date.parse(request.due_at) < Date.now() ? 'settings:privacy.lateBy' : 'settings:privacy.dueBy', {
              when,
            })}
          </p>
        ) : (
          request.status === 'completed' && !isErasure && <Until request={request} />
        )}
      </div>
      {!request.dry_run && request.status !== 'cancelled' && <Phases request={request} />}
      {request.error && <Note tone="bad">{request.error.detail}</Note>}
      {hasCertificate ? (
        <Certificate request={request} />
      ) : (
        <Counts counts={request.counts} withEffect={isErasure && request.status !== 'cancelled'} />
      )}
      <dl className="facts" aria-label={words('settings:privacy.facts')}>
        <dt>{words('settings:privacy.made')}</dt>
        <dd>{formatMoment(request.created_at)}</dd>
        {!request.dry_run && (
          <>
            <dt>{words('settings:privacy.due')}</dt>
            <dd>{formatMoment(request.due_at)}</dd>
          </>
        )}
        {request.completed_at !== null && (
          <>
            <dt>{words('settings:privacy.statuses.completed')}</dt>
            <dd>{formatMoment(request.completed_at)}</dd>
          </>
        )}
        <dt>{words('list:fields.id')}</dt>
        <dd className="mono" dir="ltr">
          {request.id}
        </dd>
      </dl>
    </>
  )
}

function ledeOf(request: Request, words: Words): string {
  const { status, kind, progress } = request
  const rows = rowsOf(request)
  const counted = { count: rows, n: formatNumber(rows) }
  const count = Math.max(progress.total, rows)
  const [done, total] = [formatNumber(progress.done), formatNumber(count)]
  if (status === 'ready')
    return rows === 0 ? words('settings:privacy.lede.nothing') : words('settings:privacy.lede.found', counted)
  if (status === 'running')
    return kind === 'erasure'
      ? words('settings:privacy.lede.erasing', { count, done, total })
      : words('settings:privacy.lede.collecting', { count, total })
  if (status === 'completed')
    return kind === 'erasure'
      ? words('settings:privacy.lede.erased', { count: progress.done, n: done })
      : words('settings:privacy.lede.copied')
  return words(`settings:privacy.lede.${status}`)
}

function Phases({ request: { kind, status } }: { request: Request }) {
  const words = useWords()
  const phases: Array<Request['status']> = [
    'searching',
    'running',
    ...(kind === 'erasure' ? (['cleaning'] as const) : []),
    'completed',
  ]
  const at = phases.indexOf(status)
  return (
    <ol className="phases" aria-label={words('settings:privacy.phases')}>
      {phases.map((phase, place) => (
        <li key={phase} aria-current={place === at ? 'step' : undefined}>
          <Status tone={place < at || status === 'completed' ? 'ok' : place === at ? 'running' : 'plain'}>
            {words(`settings:privacy.statuses.${phase}`)}
          </Status>
        </li>
      ))}
    </ol>
  )
}

/** Until when the copy can be fetched. */
function Until({ request: { completed_at } }: { request: Request }) {
  const words = useWords()
  const end = Date.parse(completed_at ?? '') + A_WEEK_MS
  return (
    <p className="sub">
      {end > Date.now()
        ? words('settings:privacy.until', { when: formatMoment(new Date(end).toISOString()) })
        : words('settings:privacy.gone')}
    </p>
  )
}

function Acts({ request }: { request: Request }) {
  const words = useWords()
  const client = useQueryClient()
  const { id, kind, status, dry_run } = request
  const fetchFile = useMutation({
    mutationFn: download,
    onError: (error) =>
      toast({
        text:
          error instanceof ApiProblem && error.status === 410 ? words('settings:privacy.gone') : reasonOf(error, words),
      }),
  })
  const cancel = useMutation({
    mutationFn: () => answerOf(api.POST('/v1/gdpr/requests/{id}/cancel', { params: { path: { id } } })),
    onSuccess: (next) => {
      client.setQueryData(['privacy-request', id], next)
      void client.invalidateQueries({ queryKey: ['privacy-requests'] })
      toast({ text: words('settings:privacy.cancelled') })
    },
    onError: (error) => {
      toast({ text: reasonOf(error, words) })
      void client.invalidateQueries({ queryKey: ['privacy-request', id] })
    },
  })
  if (dry_run) return null
  if (status === 'completed')
    return (
      <Button
        look="primary"
        isBusy={fetchFile.isPending}
        onClick={() => fetchFile.mutate(`/v1/gdpr/requests/${id}/${kind === 'erasure' ? 'certificate' : 'archive'}`)}
      >
        <Icon name="download" isSmall />
        {words(kind === 'erasure' ? 'settings:privacy.downloadCertificate' : 'settings:privacy.download')}
      </Button>
    )
  if (status !== 'searching' && status !== 'ready') return null
  return (
    <Button isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
      {words('settings:privacy.cancel')}
    </Button>
  )
}

/** The counts of an erasure, copies that are elsewhere, and places that still name the person. */
function Certificate({ request }: { request: Request }) {
  const words = useWords()
  const certificate = useQuery({
    queryKey: ['certificate', request.id],
    queryFn: () => answerOf(api.GET('/v1/gdpr/requests/{id}/certificate', { params: { path: { id: request.id } } })),
  })
  return (
    <Loaded query={certificate} skeletonRows={4}>
      {({ erased, external, left }) => (
        <section className="section">
          <header>
            <h2>{words('settings:privacy.certificate')}</h2>
          </header>
          <Note icon="shield">{words('settings:privacy.blocked')}</Note>
          <Counts counts={erased} withEffect={false} />
          <h3 style={{ marginBlockStart: 20 }}>{words('settings:privacy.external')}</h3>
          <p className="sub">
            {words(external.length > 0 ? 'settings:privacy.externalText' : 'settings:privacy.noExternal')}
          </p>
          {external.length > 0 && (
            <table className="table" aria-label={words('settings:privacy.external')}>
              <thead>
                <tr>
                  <th>{words('settings:privacy.to')}</th>
                  <th>{words('settings:privacy.by')}</th>
                  <th className="end">{words('list:fields.at')}</th>
                </tr>
              </thead>
              <tbody>
                {external.map(({ kind, target, at }) => (
                  <tr key={`${kind} ${target} ${at}`}>
                    <td className="first">
                      <bdi className="mono cut" dir="ltr">
                        {target}
                      </bdi>
                    </td>
                    <td>{words(`settings:privacy.copies.${kind}`)}</td>
                    <td className="end faint nowrap">{formatMoment(at)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          {(left ?? []).length > 0 && (
            <>
              <h3 style={{ marginBlockStart: 20 }}>{words('settings:privacy.left')}</h3>
              <ul>
                {left.map(({ place, id, reason }) => (
                  <li key={`${place} ${id}`} className="filters" style={{ paddingBlock: 4 }}>
                    <Tag>{place}</Tag>
                    <span className="mono" dir="ltr">
                      {id}
                    </span>
                    <span className="soft">{words(`settings:privacy.leftReasons.${reason}`)}</span>
                  </li>
                ))}
              </ul>
            </>
          )}
        </section>
      )}
    </Loaded>
  )
}
