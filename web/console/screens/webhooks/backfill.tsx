import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Status } from '../../../ui/parts.tsx'
import { toast } from '../../../ui/toast.tsx'
import { Confirm } from '../../frame/lazy-confirm.tsx'
import { Problem } from '../../frame/failure.tsx'
import { surveyNamesQuery } from '../../list/names.ts'
import { answerOf, api } from '../../session/api.ts'
import { formatNumber } from '../../words/format.ts'
import { TimeAgo } from '../../words/time-ago.tsx'
import { useWords } from '../../words/words.ts'
import { endpointName } from '../../endpoints/endpoint-name.ts'
import { OffNote, useTurnOn } from '../../endpoints/off.tsx'
import type { Webhook } from './endpoints.ts'

interface Wish {
  survey_id: string
  since: string
}

/** Sends an endpoint what a survey has already collected. A dry run says how much first. */
export function Backfill({ webhook }: { webhook: Webhook }) {
  const webhookId = webhook.id
  const words = useWords()
  const client = useQueryClient()
  const surveys = useQuery(surveyNamesQuery)
  const [wish, setWish] = useState<Wish | null>(null)
  const send = (body: Wish, isDryRun: boolean) =>
    answerOf(
      api.POST('/v1/webhooks/{id}/backfill', {
        params: { path: { id: webhookId } },
        body: { ...body, event_ids: 'same' as const, dry_run: isDryRun },
      }),
    )
  const dryRun = useMutation({ mutationFn: (body: Wish) => send(body, true) })
  const start = useMutation({
    mutationFn: (body: Wish) => send(body, false),
    onSuccess: () => {
      setWish(null)
      dryRun.reset()
      toast({ text: words('webhooks:backfill.started') })
      void client.invalidateQueries({ queryKey: ['backfills', webhookId] })
    },
  })
  const off =
    webhook.enabled || !dryRun.data ? [] : [{ id: webhookId, name: endpointName(webhook), count: dryRun.data.queued }]
  const turnOn = useTurnOn(off, () => wish && start.mutate(wish))
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const body = { survey_id: String(form.get('survey_id')), since: String(form.get('since')) }
    dryRun.mutate(body, { onSuccess: () => setWish(body) })
  }
  return (
    <>
      <form className="form" onSubmit={submit} style={{ maxWidth: 420 }}>
        <p className="soft">{words('webhooks:backfill.text')}</p>
        <div className="field">
          <label htmlFor="backfill-survey">{words('list:fields.survey_id')}</label>
          <select id="backfill-survey" name="survey_id" className="input" required defaultValue="">
            <option value="" disabled>
              {words('list:choose')}
            </option>
            {(surveys.data?.data ?? []).map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <div className="field">
          <label htmlFor="backfill-since">{words('webhooks:backfill.since')}</label>
          <input id="backfill-since" name="since" type="date" className="input" required />
        </div>
        {dryRun.error && <Problem error={dryRun.error} />}
        <div className="actions">
          <Button type="submit" look="primary" isBusy={dryRun.isPending}>
            {words('webhooks:backfill.count')}
          </Button>
        </div>
      </form>
      <Jobs webhookId={webhookId} />
      {wish && dryRun.data && (
        <Confirm
          title={words('webhooks:backfill.title', {
            count: dryRun.data.queued,
            n: formatNumber(dryRun.data.queued),
          })}
          isDanger={false}
          onClose={() => setWish(null)}
          {...(off.length === 0
            ? { verb: words('webhooks:backfill.verb'), act: { ...start, mutate: () => start.mutate(wish) } }
            : {
                verb: words('endpoints:off.turnOn'),
                act: {
                  isPending: turnOn.isPending || start.isPending,
                  error: turnOn.error ?? start.error,
                  mutate: () => turnOn.mutate(),
                },
                other: { verb: words('endpoints:off.letWait'), onPress: () => start.mutate(wish) },
              })}
        >
          <p>{words('webhooks:backfill.same')}</p>
          <OffNote off={off} />
        </Confirm>
      )}
    </>
  )
}

function Jobs({ webhookId }: { webhookId: string }) {
  const words = useWords()
  const jobs = useQuery({
    queryKey: ['backfills', webhookId],
    queryFn: () =>
      answerOf(api.GET('/v1/webhooks/{id}/backfills', { params: { path: { id: webhookId }, query: { limit: 20 } } })),
    refetchInterval: (query) =>
      query.state.data?.data.some(({ status }) => status === 'running') === true ? 2_000 : false,
  })
  const rows = jobs.data?.data ?? []
  if (jobs.error) return <Problem error={jobs.error} onRetry={() => void jobs.refetch()} />
  if (rows.length === 0) return null
  return (
    <section className="section" style={{ marginTop: 20 }}>
      <header>
        <h2>{words('webhooks:backfill.before')}</h2>
      </header>
      <ul>
        {rows.map(({ id, status, progress, created_at }) => (
          <li key={id} style={{ display: 'flex', gap: 12, minHeight: 32, alignItems: 'center' }}>
            <Status tone={status === 'running' ? 'running' : 'ok'}>{words(`webhooks:backfill.${status}`)}</Status>
            <span className="grow figure">
              {words('list:of', { matching: formatNumber(progress.done), all: formatNumber(progress.total) })}
            </span>
            <TimeAgo at={created_at} />
          </li>
        ))}
      </ul>
    </section>
  )
}
