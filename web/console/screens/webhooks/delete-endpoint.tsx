import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from '../../../ui/toast.tsx'
import { endpointName } from '../../endpoints/endpoint-name.ts'
import { Confirm } from '../../frame/lazy-confirm.tsx'
import { answerOf, api } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'
import type { Webhook } from './endpoints.ts'

/** Deletes an endpoint, after its name was typed. */
export function DeleteEndpoint({
  webhook,
  onClose,
  onDeleted,
}: {
  webhook: Pick<Webhook, 'id' | 'url' | 'description'>
  onClose: () => void
  onDeleted: () => void
}) {
  const words = useWords()
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => answerOf(api.DELETE('/v1/webhooks/{id}', { params: { path: { id: webhook.id } } })),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['webhooks'] })
      toast({ text: words('webhooks:deleted') })
      onDeleted()
    },
  })
  return (
    <Confirm
      title={words('webhooks:deleteTitle', { name: endpointName(webhook) })}
      typed={endpointName(webhook)}
      verb={words('frame:delete')}
      onClose={onClose}
      act={remove}
    >
      <p>{words('webhooks:deleteText')}</p>
    </Confirm>
  )
}
