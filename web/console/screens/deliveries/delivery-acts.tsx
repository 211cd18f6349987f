import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { toast } from '../../../ui/toast.tsx'
import { endpointName } from '../../endpoints/endpoint-name.ts'
import { OffNote, useTurnOn } from '../../endpoints/off.tsx'
import { reasonOf } from '../../frame/failure.tsx'
import { Confirm } from '../../frame/lazy-confirm.tsx'
import { answerOf, api } from '../../session/api.ts'
import { formatNumber } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'
import { stateOf } from './states.ts'

type Detail = Schemas['WebhookDeliveryDetail']

/** The one act that helps a delivery in its state. */
export function DeliveryActs({ delivery, webhook }: { delivery: Detail; webhook: Schemas['Webhook'] | undefined }) {
  const words = useWords()
  const client = useQueryClient()
  const [isAsked, ask] = useState(false)
  const path = { params: { path: { id: delivery.id } } }
  const refresh = () => {
    void client.invalidateQueries({ queryKey: ['delivery', delivery.id] })
    void client.invalidateQueries({ queryKey: ['deliveries'] })
  }
  const act = useMutation({
    mutationFn: (verb: 'retry' | 'replay') =>
      answerOf(
        verb === 'retry'
          ? api.POST('/v1/webhook-deliveries/{id}/retry', path)
          : api.POST('/v1/webhook-deliveries/{id}/replay', path),
      ),
    onSuccess: ({ next_attempt_at }, verb) => {
      const waits = verb === 'replay' && next_attempt_at === null
      toast({
        text: waits ? words('endpoints:off.queued', { count: 1, n: formatNumber(1) }) : words(`deliveries:did.${verb}`),
      })
      ask(false)
      refresh()
    },
    onError: (error) => toast({ text: reasonOf(error, words) }),
  })
  const off = webhook && !webhook.enabled ? [{ id: webhook.id, name: endpointName(webhook), count: 1 }] : []
  const turnOn = useTurnOn(off, () => {
    if (delivery.dead_lettered) return act.mutate('replay')
    toast({ text: words('deliveries:did.replay') })
    refresh()
  })
  const { name } = stateOf(delivery)
  if (name === 'off')
    return (
      off.length > 0 && (
        <Button look="primary" isBusy={turnOn.isPending} onClick={() => turnOn.mutate()}>
          {words('endpoints:off.turnOn')}
        </Button>
      )
    )
  // The first try of a delivery comes by itself.
  const verb = name === 'again' ? 'retry' : name === 'dead' ? 'replay' : null
  if (verb === null) return null
  return (
    <>
      <Button
        look="primary"
        isBusy={act.isPending}
        onClick={() => (verb === 'replay' && off.length > 0 ? ask(true) : act.mutate(verb))}
      >
        <Icon name="rotate-ccw" isSmall />
        {words(`deliveries:verbs.${verb}`)}
      </Button>
      {isAsked && (
        <Confirm
          title={words('deliveries:replayTitle', { count: 1, n: formatNumber(1) })}
          verb={words('endpoints:off.turnOn')}
          isDanger={false}
          onClose={() => ask(false)}
          act={{
            isPending: turnOn.isPending || act.isPending,
            error: turnOn.error,
            mutate: () => turnOn.mutate(),
          }}
          other={{ verb: words('endpoints:off.letWait'), onPress: () => act.mutate('replay') }}
        >
          <OffNote off={off} />
        </Confirm>
      )}
    </>
  )
}
