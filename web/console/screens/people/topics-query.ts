import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../session/api.ts'
import { topicsOf } from './person-lede.ts'

const MOST_TEXTS = 100

/** The topics of what a person wrote, most frequent first. Empty until they are known. */
export function useTopics(personId: string): string[] {
  const { data } = useQuery({
    queryKey: ['verbatim', 'by', personId],
    queryFn: () => {
      const filter = JSON.stringify({ all: [{ field: 'person_id', op: 'eq', value: personId }] })
      return answerOf(api.GET('/v1/verbatim', { params: { query: { limit: MOST_TEXTS, filter } } }))
    },
  })
  return data ? topicsOf(data.data) : []
}
