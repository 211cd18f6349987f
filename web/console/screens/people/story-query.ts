import { useInfiniteQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../session/api.ts'

const PAGE = 50

/** The story of a person, newest first. */
export function useStory(personId: string) {
  return useInfiniteQuery({
    queryKey: ['person', personId, 'story'],
    queryFn: ({ pageParam }) =>
      answerOf(
        api.GET('/v1/people/{id}/timeline', {
          params: { path: { id: personId }, query: { limit: PAGE, ...(pageParam && { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  })
}
