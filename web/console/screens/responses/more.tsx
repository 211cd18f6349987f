import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Menu } from '../../../ui/menu.tsx'
import type { MenuItem } from '../../../ui/menu-popup.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay } from '../../app/me.ts'
import { reasonOf } from '../../frame/failure.tsx'
import { Confirm } from '../../frame/lazy-confirm.tsx'
import { answerOf, api } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'

type Response = Schemas['Response']

/** The rarer acts on a response. */
export function More({ response }: { response: Response }) {
  const words = useWords()
  const mayManage = useMay('responses.manage')
  const take = useTaken()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isDeleting, setDeleting] = useState(false)
  const isHeld = response.state === 'quarantined'
  const move = useMutation({
    mutationFn: (to: 'quarantine' | 'release') => {
      const params = { params: { path: { rid: response.id } } }
      return answerOf(
        to === 'quarantine'
          ? api.POST('/v1/responses/{rid}/quarantine', params)
          : api.POST('/v1/responses/{rid}/release', params),
      )
    },
    onSuccess: (next, to) => {
      take(next)
      toast({
        text: words(to === 'quarantine' ? 'responses:quarantined' : 'responses:released'),
        action: {
          label: words('frame:undo'),
          onPress: () => move.mutate(to === 'quarantine' ? 'release' : 'quarantine'),
        },
      })
    },
    onError: (error) => toast({ text: reasonOf(error, words) }),
  })
  const remove = useMutation({
    mutationFn: () => answerOf(api.DELETE('/v1/responses/{rid}', { params: { path: { rid: response.id } } })),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['responses'] })
      void navigate({ to: '/app/responses', search: (before) => before })
      toast({ text: words('responses:deleted') })
    },
  })
  const copy = (text: string) => {
    void navigator.clipboard.writeText(text)
    toast({ text: words('frame:copied') })
  }
  const items: MenuItem[] = [
    {
      label: words('responses:openSurvey'),
      icon: 'file-chart-column',
      onChoose: () => void navigate({ to: '/app/surveys/$surveyId/results', params: { surveyId: response.survey_id } }),
    },
    { label: words('responses:copyId'), icon: 'copy', onChoose: () => copy(response.id) },
    {
      label: words('responses:copyLink'),
      icon: 'link',
      onChoose: () => copy(`${location.origin}/app/responses/${response.id}`),
    },
  ]
  const acts: MenuItem[] = [
    ...(isHeld || response.state === 'completed'
      ? [
          {
            label: words(isHeld ? 'responses:release' : 'responses:quarantine'),
            icon: 'shield',
            isDisabled: move.isPending,
            onChoose: () => move.mutate(isHeld ? 'release' : 'quarantine'),
          },
        ]
      : []),
    { label: words('responses:acts.delete'), icon: 'trash', onChoose: () => setDeleting(true) },
  ]
  return (
    <>
      <Menu label={words('frame:more')} size="square" groups={[{ items }, ...(mayManage ? [{ items: acts }] : [])]}>
        <Icon name="ellipsis" />
      </Menu>
      {isDeleting && (
        <Confirm
          title={words('responses:deleteTitle', { count: 1 })}
          typed={words('responses:deleteTyped', { count: 1 })}
          verb={words('frame:delete')}
          onClose={() => setDeleting(false)}
          act={remove}
        >
          <p>{words('responses:deleteText')}</p>
        </Confirm>
      )}
    </>
  )
}

/** Keeps an answer of the API as the response that is shown, and has the lists ask again. */
export function useTaken() {
  const client = useQueryClient()
  return (next: Schemas['Response']) => {
    client.setQueryData(['response', next.id], next)
    void client.invalidateQueries({ queryKey: ['responses'] })
  }
}
