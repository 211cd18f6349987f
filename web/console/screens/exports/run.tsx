import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Note, Skeleton, Status } from '../../../ui/parts.tsx'
import { toast } from '../../../ui/toast.tsx'
import { unlessLive } from '../../app/live.ts'
import { Confirm } from '../../frame/lazy-confirm.tsx'
import { Problem, reasonOf } from '../../frame/failure.tsx'
import { UnseenHead } from '../../frame/loaded.tsx'
import { Screen } from '../../frame/screen.tsx'
import { surveyNamesQuery } from '../../list/names.ts'
import { answerOf, api, download } from '../../session/api.ts'
import { formatBytes, formatDuration, formatMoment, formatNumber } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'
import { CheckFiles } from './check-files.tsx'
import { isMoving, PHASES, secondsLeft, type Run } from './runs.ts'

const TemplateDialog = lazy(() =>
  import('./template-dialog.tsx').then(({ TemplateDialog }) => ({ default: TemplateDialog })),
)

const MOVING_MS = 1_000

/** One export: its phases, its files with their digests, and how to check them. */
export function ExportRun() {
  const words = useWords()
  const { runId = '' } = useParams({ strict: false })
  const run = useQuery({
    queryKey: ['export', runId],
    queryFn: () => answerOf(api.GET('/v1/export-runs/{id}', { params: { path: { id: runId } } })),
    refetchInterval: ({ state }) => (state.data && isMoving(state.data) ? unlessLive(MOVING_MS)() : false),
  })
  const above = { to: '/app/exports', label: words('frame:screens.exports') }
  if (!run.data)
    return (
      <Screen title={words('exports:export')} above={above}>
        {run.error ? (
          <div className="in">
            <Problem error={run.error} onRetry={() => void run.refetch()} />
          </div>
        ) : (
          <Skeleton label={words('frame:loading')} />
        )}
      </Screen>
    )
  return <Whole run={run.data} above={above} />
}

function Whole({ run, above }: { run: Run; above: { to: string; label: string } }) {
  const words = useWords()
  const { rows, total_rows: total, parts } = run.progress
  const left = secondsLeft(run, Date.now())
  const at = PHASES.indexOf(run.status as (typeof PHASES)[number])
  return (
    <Screen title={words(`exports:sources.${run.source}`)} above={above} end={<Acts run={run} />}>
      <div
        className="in"
        style={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 24, alignContent: 'start' }}
      >
        <div role="status">
          <p className="lede">
            {run.status === 'completed'
              ? words('exports:lede.done', {
                  rows: words('exports:lede.rows', { count: rows, n: formatNumber(rows) }),
                  files: words('exports:lede.files', { count: parts, n: formatNumber(parts) }),
                })
              : isMoving(run)
                ? words('exports:lede.building', {
                    count: total,
                    rows: formatNumber(rows),
                    total: formatNumber(total),
                  })
                : words(`exports:statuses.${run.status}`)}
          </p>
          <p className="sub">
            {left !== null
              ? words('exports:lede.left', { time: formatDuration(left * 1000) })
              : words('exports:oneMoment', { at: formatMoment(run.snapshot_at) })}
          </p>
        </div>
        {at >= 0 && (
          <ol className="phases" aria-label={words('exports:phases')}>
            {PHASES.map((phase, place) => (
              <li key={phase} aria-current={place === at ? 'step' : undefined}>
                <Status tone={place < at || run.status === 'completed' ? 'ok' : place === at ? 'running' : 'plain'}>
                  {words(`exports:phase.${phase}`)}
                </Status>
              </li>
            ))}
          </ol>
        )}
        {run.error && <Note tone="bad">{run.error.detail}</Note>}
        {run.status === 'completed' && <Files run={run} />}
        <dl className="facts">
          <dt>{words('exports:format')}</dt>
          <dd>{words(`exports:formats.${run.format}`)}</dd>
          <dt>{words('exports:takenAt')}</dt>
          <dd>{formatMoment(run.snapshot_at)}</dd>
          {run.expires_at && (
            <>
              <dt>{words('exports:expires')}</dt>
              <dd>{formatMoment(run.expires_at)}</dd>
            </>
          )}
          {run.cleanup && (
            <>
              <dt>{words('exports:cleaned')}</dt>
              <dd>{formatMoment(run.cleanup.verified_at)}</dd>
            </>
          )}
          <dt>{words('list:fields.id')}</dt>
          <dd className="mono" dir="ltr">
            {run.id}
          </dd>
        </dl>
      </div>
    </Screen>
  )
}

function Acts({ run }: { run: Run }) {
  const words = useWords()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const cancel = useMutation({
    mutationFn: () => answerOf(api.POST('/v1/export-runs/{id}/cancel', { params: { path: { id: run.id } } })),
    onSuccess: () => {
      setAsking(false)
      void client.invalidateQueries({ queryKey: ['export', run.id] })
      void client.invalidateQueries({ queryKey: ['exports'] })
    },
  })
  const [isKeeping, setKeeping] = useState(false)
  const { source, survey_id, columns, filter, format, options, part_rows, template_id } = run
  const order = { source, survey_id, columns, filter, format, options, part_rows }
  const again = useMutation({
    mutationFn: () =>
      answerOf(api.POST('/v1/export-runs', { body: (template_id === null ? order : { template_id }) as never })),
    onSuccess: ({ id }) => void navigate({ to: '/app/exports/$runId', params: { runId: id } }),
    onError: (error) => toast({ text: reasonOf(error, words) }),
  })
  const surveys = useQuery({ ...surveyNamesQuery, enabled: survey_id !== null })
  const nameOf = (id: string | null) => surveys.data?.data.find((survey) => survey.id === id)?.name
  const isUnfinished = PHASES.slice(0, -1).includes(run.status as never)
  return (
    <>
      {isUnfinished ? (
        <Button onClick={() => setAsking(true)}>{words('exports:cancel')}</Button>
      ) : (
        <>
          {template_id === null && (
            <Button look="quiet" onClick={() => setKeeping(true)}>
              {words('exports:repeat')}
            </Button>
          )}
          <Button isBusy={again.isPending} onClick={() => again.mutate()}>
            <Icon name="rotate-ccw" isSmall />
            {words('exports:again')}
          </Button>
        </>
      )}
      {isKeeping && (
        <Suspense>
          <TemplateDialog
            order={order}
            name={[words(`exports:sources.${source}`), nameOf(survey_id)].filter(Boolean).join(' · ')}
            isRepeated
            onClose={() => setKeeping(false)}
          />
        </Suspense>
      )}
      {isAsking && (
        <Confirm
          title={words('exports:cancelTitle')}
          verb={words('exports:cancel')}
          act={cancel}
          onClose={() => setAsking(false)}
        >
          <p>{words('exports:cancelText')}</p>
        </Confirm>
      )}
    </>
  )
}

function Files({ run }: { run: Run }) {
  const words = useWords()
  const manifest = useQuery({
    queryKey: ['manifest', run.id],
    queryFn: () => answerOf(api.GET('/v1/export-runs/{id}/manifest', { params: { path: { id: run.id } } })),
    staleTime: Infinity,
  })
  const fetchFile = useMutation({ mutationFn: download, onError: (error) => toast({ text: reasonOf(error, words) }) })
  if (manifest.error) return <Problem error={manifest.error} onRetry={() => void manifest.refetch()} />
  if (!manifest.data) return <Skeleton label={words('frame:loading')} rows={2} />
  const { parts } = manifest.data
  const path = `/v1/export-runs/${run.id}`
  return (
    <section className="section">
      <header>
        <h2>{words('exports:files')}</h2>
        <div className="end">
          <Button look="quiet" onClick={() => fetchFile.mutate(`${path}/manifest`)}>
            <Icon name="download" isSmall />
            {words('exports:manifest')}
          </Button>
        </div>
      </header>
      <table className="table tall" aria-label={words('exports:files')}>
        <thead>
          <tr>
            <th>{words('exports:file')}</th>
            <th className="end wide">{words('exports:rows')}</th>
            <th className="end wide">{words('exports:size')}</th>
            <UnseenHead className="end">{words('exports:download')}</UnseenHead>
          </tr>
        </thead>
        <tbody>
          {parts.map(({ n, name, rows, bytes, sha256 }) => (
            <tr key={n}>
              <td className="first">
                <span className="pair" dir="ltr">
                  <b className="strong cut">{name}</b>
                  <small className="mono cut" title={sha256}>
                    {`SHA-256 ${sha256}`}
                  </small>
                </span>
              </td>
              <td className="end figure wide">{formatNumber(rows)}</td>
              <td className="end figure wide">{formatBytes(bytes)}</td>
              <td className="end when">
                <Button onClick={() => fetchFile.mutate(`${path}/parts/${n}`)}>
                  <Icon name="download" isSmall />
                  {words('exports:download')}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <CheckFiles digests={parts.map(({ sha256 }) => sha256)} />
      <p className="sub" style={{ marginBlock: '12px 6px' }}>
        {words('exports:check')}
      </p>
      <pre className="code" tabIndex={0} dir="ltr">
        {parts.map(({ name, sha256 }) => `${sha256}  ${name}`).join('\n')}
      </pre>
      <p className="faint" style={{ marginBlockStart: 6 }}>
        <code dir="ltr">{'sha256sum -c files.sha256'}</code>
      </p>
    </section>
  )
}
