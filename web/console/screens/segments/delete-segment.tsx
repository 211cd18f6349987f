import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ApiProblem } from '../../../api/client.ts'
import { Note } from '../../../ui/parts.tsx'
import { toast } from '../../../ui/toast.tsx'
import { Confirm } from '../../frame/lazy-confirm.tsx'
import { answerOf, api } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'

/** Asks, and says what still uses the segment if it cannot go. */
export function DeleteSegment({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const words = useWords()
  const client = useQueryClient()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => answerOf(api.DELETE('/v1/segments/{id}', { params: { path: { id } } })),
    onSuccess: () => {
      void navigate({ to: '/app/segments' })
      void client.invalidateQueries({ queryKey: ['segments'], refetchType: 'none' })
      toast({ text: words('segments:deleted', { name }) })
    },
  })
  const usedBy = remove.error instanceof ApiProblem ? remove.error.usedBy : []
  return (
    <Confirm
      title={words('segments:deleteTitle', { name })}
      verb={words('frame:delete')}
      act={{ ...remove, error: usedBy.length > 0 ? null : remove.error }}
      onClose={onClose}
    >
      <p>{words('segments:deleteText')}</p>
      {usedBy.length > 0 && (
        <Note tone="bad">
          <p>{words('segments:inUse')}</p>
          <ul>
            {usedBy.map((use) => (
              <li key={use.id}>
                {words(`segments:uses.${use.type}`)} <Use {...use} />
              </li>
            ))}
          </ul>
        </Note>
      )}
    </Confirm>
  )
}

function Use({ type, id = '', name }: ApiProblem['usedBy'][number]) {
  const shown = <bdi>{name ?? id}</bdi>
  if (type === 'invitation')
    return (
      <Link className="link" to="/app/invitations/$invitationId" params={{ invitationId: id }}>
        {shown}
      </Link>
    )
  if (type === 'alert_rule')
    return (
      <Link className="link" to="/app/alerts/rules/$ruleId" params={{ ruleId: id }}>
        {shown}
      </Link>
    )
  return shown
}
