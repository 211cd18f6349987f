import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toast.tsx'
import { Problem } from '../../frame/failure.tsx'
import { webhookNamesQuery } from '../../list/names.ts'
import { answerOf, api } from '../../session/api.ts'
import { formatNumber } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'
import { endpointName } from '../../endpoints/endpoint-name.ts'

interface Wish {
  webhook_id?: string
  since?: string
  until?: string
}

/** Replays the dead letters of an endpoint and a time. Their number comes first. */
export function ReplayByFilter({ webhookId, onClose }: { webhookId: string; onClose: () => void }) {
  const words = useWords()
  const client = useQueryClient()
  const [wish, setWish] = useState<Wish | null>(null)
  const webhooks = useQuery(webhookNamesQuery)
  const replay = (body: Wish & { dry_run?: boolean }) =>
    answerOf(api.POST('/v1/webhook-deliveries/replay', { body: body as never }))
  const count = useMutation({ mutationFn: (body: Wish) => replay({ ...body, dry_run: true }) })
  const start = useMutation({
    mutationFn: (body: Wish) => replay(body),
    onSuccess: ({ queued }) => {
      toast({ text: words('deliveries:replayed', { count: queued, n: formatNumber(queued) }) })
      void client.invalidateQueries({ queryKey: ['deliveries'] })
      onClose()
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const entries = [...form.entries()].filter(([, value]) => value !== '')
    const body = Object.fromEntries(entries) as Wish
    count.mutate(body, { onSuccess: () => setWish(body) })
  }
  const found = count.data?.queued ?? 0
  return (
    <Dialog
      title={words('deliveries:replayBy')}
      closeLabel={words('frame:close')}
      onClose={onClose}
      footer={
        wish === null ? (
          <Button type="submit" form="replay" look="primary" isBusy={count.isPending}>
            {words('deliveries:count')}
          </Button>
        ) : (
          <>
            <Button onClick={() => setWish(null)}>{words('frame:cancel')}</Button>
            <Button look="primary" isBusy={start.isPending} disabled={found === 0} onClick={() => start.mutate(wish)}>
              {words('deliveries:replay')}
            </Button>
          </>
        )
      }
    >
      <form id="replay" className="form" onSubmit={submit} onChange={() => setWish(null)}>
        <div className="field">
          <label htmlFor="replay-webhook">{words('list:fields.webhook_id')}</label>
          <select
            id="replay-webhook"
            name="webhook_id"
            className="input"
            defaultValue={webhookId}
            key={webhooks.isPending ? 'asking' : 'known'}
          >
            <option value="">{words('deliveries:everyEndpoint')}</option>
            {(webhooks.data?.data ?? []).map((webhook) => (
              <option key={webhook.id} value={webhook.id}>
                {endpointName(webhook)}
              </option>
            ))}
          </select>
        </div>
        <div className="field">
          <label htmlFor="replay-since">{words('deliveries:since')}</label>
          <input id="replay-since" name="since" type="date" className="input" />
        </div>
        <div className="field">
          <label htmlFor="replay-until">{words('deliveries:until')}</label>
          <input id="replay-until" name="until" type="date" className="input" />
        </div>
        {(count.error ?? start.error) && <Problem error={count.error ?? start.error} />}
        {wish && (
          <p className="strong" role="status">
            {words('deliveries:replayTitle', { count: found, n: formatNumber(found) })}{' '}
            <span className="soft">{words('deliveries:replayText')}</span>
          </p>
        )}
      </form>
    </Dialog>
  )
}
