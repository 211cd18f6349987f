import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { Menu } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'
import { useMay } from '../app/me.ts'
import { reasonOf } from '../frame/failure.tsx'
import { answerOf, api } from '../session/api.ts'
import { useWords } from '../words/words.ts'

const LABELS = ['positive', 'neutral', 'negative'] as const

/** How a text sounds, and another word for it where the guess is wrong. */
export function SentimentMenu({ text }: { text: Schemas['ListedVerbatim'] }) {
  const words = useWords()
  const client = useQueryClient()
  const mayManage = useMay('responses.manage')
  const { response_id, question_id, sentiment } = text
  const correct = useMutation({
    mutationFn: (label: (typeof LABELS)[number]) =>
      answerOf(
        api.PATCH('/v1/verbatim/{response_id}/{question_id}', {
          params: { path: { response_id: response_id ?? '', question_id } },
          body: { sentiment: label },
        }),
      ),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['verbatim'] })
      toast({ text: words('list:corrected') })
    },
    onError: (error) => toast({ text: reasonOf(error, words) }),
  })
  const name = words(`list:values.${sentiment.label}`)
  if (!mayManage || response_id === null) return <span className="faint">{name}</span>
  return (
    <Menu
      label={words('list:sentimentIs', { sentiment: name })}
      groups={[
        {
          items: LABELS.map((label) => ({
            label: words(`list:values.${label}`),
            isChosen: label === sentiment.label,
            onChoose: () => correct.mutate(label),
          })),
        },
      ]}
    >
      {name}
    </Menu>
  )
}

/** The texts of a response with the language that each is written in. Undefined until they are read and classified. */
export function useTextsOf(responseId: string | null): Array<Schemas['ListedVerbatim']> | undefined {
  const filter = JSON.stringify({ all: [{ field: 'id', op: 'eq', value: responseId }] })
  const { data } = useQuery({
    queryKey: ['verbatim', 'of', responseId],
    queryFn: () => answerOf(api.GET('/v1/verbatim', { params: { query: { limit: 100, filter } } })),
    enabled: responseId !== null,
  })
  return data?.data
}
