import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { toast } from '../../../ui/toast.tsx'
import type { Filter } from '../../app/list-state.ts'
import { endpointName } from '../../endpoints/endpoint-name.ts'
import { OffNote, useTurnOn, type Off } from '../../endpoints/off.tsx'
import { Confirm } from '../../frame/lazy-confirm.tsx'
import { BatchBar, useBatch, type Chosen } from '../../list/batch-bar.tsx'
import { webhookNamesQuery } from '../../list/names.ts'
import { answerOf, api } from '../../session/api.ts'
import { formatNumber } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'

type Verb = 'retry' | 'replay'
// A delivery that waits is tried now. A dead letter is sent again.
const VERBS: Verb[] = ['retry', 'replay']

interface Act {
  verb: Verb
  /** How many of them wait for an endpoint that stays off. */
  waits: number
}

interface Props extends Chosen {
  /** Those that are loaded. */
  rows: Array<Schemas['WebhookDelivery']>
}

/** Tries or replays the chosen deliveries, after their number was confirmed. */
export function DeliveryBatch({ rows: loadedRows, ...chosen }: Props) {
  const words = useWords()
  const [asked, ask] = useState<Verb | null>(null)
  const off = useOff(chosen, loadedRows, asked)
  const waiting = off.reduce((sum, { count }) => sum + count, 0)
  const batch = useBatch<Act>(chosen, {
    list: 'deliveries',
    send: (rows, { verb }) =>
      answerOf(api.POST('/v1/webhook-deliveries/batch', { body: { ...rows, do: { [verb]: true } } as never })),
    say: ({ waits: most }, changed) => {
      ask(null)
      const waits = Math.min(most, changed)
      const sent = changed - waits
      return [
        ...(sent > 0 || waits === 0 ? [words('deliveries:replayed', { count: sent, n: formatNumber(sent) })] : []),
        ...(waits > 0 ? [words('endpoints:off.queued', { count: waits, n: formatNumber(waits) })] : []),
      ].join(' ')
    },
    undoes: () => false,
  })
  const { count, run } = batch
  const act = (waits: number) => asked && run.mutate({ verb: asked, waits: asked === 'replay' ? waits : 0 })
  const turnOn = useTurnOn(off, () => act(0))
  const { selection } = chosen
  return (
    <>
      <BatchBar batch={batch} chosen={chosen}>
        {VERBS.map((verb) => (
          <button key={verb} type="button" onClick={() => ask(verb)}>
            {words(`deliveries:verbs.${verb}`)}
          </button>
        ))}
        <button
          type="button"
          onClick={() => {
            void navigator.clipboard.writeText([...selection.ids].join('\n'))
            toast({ text: words('frame:copied') })
          }}
          disabled={selection.isAll}
        >
          {words('deliveries:copyIds')}
        </button>
      </BatchBar>
      {asked && count > 0 && (
        <Confirm
          title={words(`deliveries:${asked}Title`, { count, n: formatNumber(count) })}
          isDanger={false}
          onClose={() => ask(null)}
          {...(waiting === 0
            ? { verb: words(`deliveries:verbs.${asked}`), act: { ...run, mutate: () => act(0) } }
            : {
                verb: words('endpoints:off.turnOn'),
                act: {
                  isPending: turnOn.isPending || run.isPending,
                  error: turnOn.error ?? run.error,
                  mutate: () => turnOn.mutate(),
                },
                other: { verb: words('endpoints:off.letWait'), onPress: () => act(waiting) },
              })}
        >
          <p>{words(`deliveries:${asked}Text`)}</p>
          <OffNote off={off} />
        </Confirm>
      )}
    </>
  )
}

const ACTED: Record<Verb, Filter> = {
  retry: { field: 'waiting', op: 'eq', value: true },
  replay: { field: 'dead_lettered', op: 'eq', value: true },
}

/** The endpoints that are off among those of the chosen deliveries, with how many the act would reach. */
function useOff({ selection, filter }: Chosen, rows: Array<Schemas['WebhookDelivery']>, act: Verb | null): Off[] {
  const webhooks = useQuery({ ...webhookNamesQuery, staleTime: 0, enabled: act !== null })
  const disabled = act === null ? [] : (webhooks.data?.data ?? []).filter(({ enabled }) => !enabled)
  const counts = useQueries({
    queries: disabled.map(({ id }) => {
      const all = [
        ...(filter === undefined ? [] : [filter]),
        { field: 'webhook_id', op: 'eq', value: id },
        ...(act === null ? [] : [ACTED[act]]),
      ]
      return {
        queryKey: ['deliveries', 'off', all],
        queryFn: () =>
          answerOf(
            api.GET('/v1/webhook-deliveries', {
              params: { query: { limit: 1, count: 'true' as const, filter: JSON.stringify({ all }) } },
            }),
          ),
        enabled: selection.isAll,
      }
    }),
  })
  return disabled.flatMap((webhook, index) => {
    const own = rows.filter(
      (row) =>
        selection.ids.has(row.id) &&
        row.webhook_id === webhook.id &&
        (act === 'replay' ? row.dead_lettered : row.waiting),
    )
    const count = selection.isAll ? (counts[index]?.data?.count?.matching.n ?? 0) : own.length
    return count === 0 ? [] : [{ id: webhook.id, name: endpointName(webhook), count }]
  })
}
