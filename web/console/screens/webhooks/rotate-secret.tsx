import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Field } from '../../../ui/field.tsx'
import { Confirm } from '../../frame/confirm.tsx'
import { answerOf, api } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'
import { SecretOnce } from '../../endpoints/secret-once.tsx'

const USUAL_HOURS = 24

/** Makes another secret. Both sign until the overlap is over, so that the receiver can change over. */
export function RotateSecret({ webhookId, onClose }: { webhookId: string; onClose: () => void }) {
  const words = useWords()
  const client = useQueryClient()
  const [hours, setHours] = useState(String(USUAL_HOURS))
  const rotate = useMutation({
    mutationFn: () =>
      answerOf(
        api.POST('/v1/webhooks/{id}/rotate-secret', {
          params: { path: { id: webhookId } },
          body: { overlap_hours: Number(hours) },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: ['webhook', webhookId] }),
  })
  if (rotate.data) return <SecretOnce secret={rotate.data.secret ?? ''} onCopied={onClose} />
  return (
    <Confirm
      title={words('webhooks:rotate.title')}
      verb={words('webhooks:rotate.verb')}
      isDanger={false}
      onClose={onClose}
      act={rotate}
    >
      <p>{words('webhooks:rotate.text')}</p>
      <Field
        label={words('webhooks:rotate.hours')}
        hint={words('webhooks:rotate.hint')}
        type="number"
        min={0}
        max={168}
        value={hours}
        onChange={({ target }) => setHours(target.value)}
      />
    </Confirm>
  )
}
