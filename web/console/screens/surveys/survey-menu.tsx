import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Schemas } from '../../../api/client.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Menu } from '../../../ui/menu.tsx'
import type { MenuItem } from '../../../ui/menu-popup.tsx'
import { toast } from '../../../ui/toast.tsx'
import { reasonOf } from '../../frame/failure.tsx'
import { PUBLIC_BASE } from '../../links/short-urls.ts'
import { answerOf, api } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'

type Survey = Schemas['SurveySummary']
type Verb = 'pause' | 'resume' | 'close' | 'archive' | 'unarchive'

const VERBS: Record<Survey['state'], Verb[]> = {
  // Only a closed survey can be archived.
  draft: [],
  live: ['pause', 'close'],
  paused: ['resume', 'close'],
  closed: ['archive'],
  archived: ['unarchive'],
}

/** The acts on a survey of the list. */
export function SurveyMenu({ survey, mayManage }: { survey: Survey; mayManage: boolean }) {
  const words = useWords()
  const client = useQueryClient()
  const act = useMutation({
    mutationFn: (verb: Verb) => {
      const params = { params: { path: { id: survey.id } } }
      const calls = {
        pause: () => api.POST('/v1/surveys/{id}/pause', params),
        resume: () => api.POST('/v1/surveys/{id}/resume', params),
        close: () => api.POST('/v1/surveys/{id}/close', params),
        archive: () => api.POST('/v1/surveys/{id}/archive', params),
        unarchive: () => api.POST('/v1/surveys/{id}/unarchive', params),
      }
      return answerOf<unknown>(calls[verb]())
    },
    onSuccess: (_, verb) => {
      void client.invalidateQueries({ queryKey: ['surveys'] })
      toast({ text: words(`surveys:done.${verb}`, { name: survey.name }) })
    },
    onError: (error) => toast({ text: reasonOf(error, words) }),
  })
  const navigate = useNavigate()
  const link = `${PUBLIC_BASE}/public/s/${survey.id}`
  const answers: MenuItem[] = [
    {
      label: words('frame:survey.build'),
      icon: 'pencil',
      onChoose: () => void navigate({ to: '/app/surveys/$surveyId/build', params: { surveyId: survey.id } }),
    },
    {
      label: words('frame:survey.share'),
      icon: 'link',
      onChoose: () => void navigate({ to: '/app/surveys/$surveyId/share', params: { surveyId: survey.id } }),
    },
    {
      label: words('frame:screens.responses'),
      icon: 'message-square-text',
      onChoose: () =>
        void navigate({
          to: '/app/responses',
          search: { filter: { all: [{ field: 'survey_id', op: 'eq', value: survey.id }] } },
        }),
    },
  ]
  const open: MenuItem[] =
    survey.state === 'live'
      ? [
          { label: words('surveys:open'), icon: 'eye', onChoose: () => void window.open(link, '_blank', 'noopener') },
          {
            label: words('surveys:copyLink'),
            icon: 'link',
            onChoose: () => {
              void navigator.clipboard.writeText(link)
              toast({ text: words('frame:copied') })
            },
          },
        ]
      : []
  const verbs = mayManage
    ? VERBS[survey.state].map((verb) => ({ label: words(`surveys:verbs.${verb}`), onChoose: () => act.mutate(verb) }))
    : []
  return (
    <Menu
      size="square"
      label={words('surveys:menu', { name: survey.name })}
      groups={[{ items: answers }, { items: open }, { items: verbs }].filter(({ items }) => items.length > 0)}
    >
      <Icon name="ellipsis" />
    </Menu>
  )
}
