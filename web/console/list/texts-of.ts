import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { answerOf, api } from '../session/api.ts'

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
