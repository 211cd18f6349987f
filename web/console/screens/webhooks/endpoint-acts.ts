import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { toast } from '../../../ui/toast.tsx'
import { reasonOf } from '../../frame/failure.tsx'
import { answerOf, api } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'
import { unlessLive } from '../../app/live.ts'

/** Turns an endpoint on or off, and sends it an example. Each says at once what became of it. */
export function useEndpointActs(webhookId: string) {
  const words = useWords()
  const client = useQueryClient()
  const navigate = useNavigate()
  const path = { params: { path: { id: webhookId } } }
  const turn = useMutation({
    mutationFn: (enabled: boolean) => answerOf(api.PATCH('/v1/webhooks/{id}', { ...path, body: { enabled } })),
    onSuccess: (next, enabled) => {
      client.setQueryData(['webhook', webhookId], next)
      void client.invalidateQueries({ queryKey: ['webhooks'] })
      toast({
        text: words(enabled ? 'webhooks:resumed' : 'webhooks:paused'),
        action: { label: words('frame:undo'), onPress: () => turn.mutate(!enabled) },
      })
    },
    onError: (error) => toast({ text: reasonOf(error, words) }),
  })
  const test = useMutation({
    mutationFn: () => answerOf(api.POST('/v1/webhooks/{id}/test', { ...path, body: {} })),
    onSuccess: ({ id }) => void navigate({ to: '/app/deliveries/$deliveryId', params: { deliveryId: id } }),
    onError: (error) => toast({ text: reasonOf(error, words) }),
  })
  return { turn, test }
}

const MOST = 100

export const webhooksQuery = {
  queryKey: ['webhooks'],
  queryFn: () => answerOf(api.GET('/v1/webhooks', { params: { query: { limit: MOST, include: 'health' as const } } })),
  refetchInterval: unlessLive(15_000),
}
