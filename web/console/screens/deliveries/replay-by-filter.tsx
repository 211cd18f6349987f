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
import { OffNote, useTurnOn } from '../../endpoints/off.tsx'

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
    onSuccess: ({ queued, disabled }) => {
      const waits = disabled.reduce((sum, each) => sum + each.queued, 0)
      const sent = queued - waits
      toast({
        text: [
          ...(sent > 0 ? [words('deliveries:replayed', { count: sent, n: formatNumber(sent) })] : []),
          ...(waits > 0 ? [words('endpoints:off.queued', { count: waits, n: formatNumber(waits) })] : []),
        ].join(' '),
      })
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
  const nameOf = (id: string) => {
    const webhook = webhooks.data?.data.find((each) => each.id === id)
    return webhook ? endpointName(webhook) : id
  }
  const off =
    wish === null
      ? []
      : (count.data?.disabled ?? []).map(({ webhook_id: id, queued }) => ({ id, name: nameOf(id), count: queued }))
  const turnOn = useTurnOn(off, () => wish && start.mutate(wish))
  const isBusy = turnOn.isPending || start.isPending
  const refused = count.error ?? turnOn.error ?? start.error
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
            {off.length > 0 && (
              <Button disabled={isBusy} onClick={() => start.mutate(wish)}>
                {words('endpoints:off.letWait')}
              </Button>
            )}
            <Button
              look="primary"
              isBusy={isBusy}
              disabled={found === 0}
              onClick={() => (off.length > 0 ? turnOn.mutate() : start.mutate(wish))}
            >
              {words(off.length > 0 ? 'endpoints:off.turnOn' : 'deliveries:replay')}
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
        {refused && <Problem error={refused} />}
        {wish && (
          <p className="strong" role="status">
            {words('deliveries:replayTitle', { count: found, n: formatNumber(found) })}{' '}
            <span className="soft">{words('deliveries:replayText')}</span>
          </p>
        )}
        <OffNote off={off} />
      </form>
    </Dialog>
  )
}
