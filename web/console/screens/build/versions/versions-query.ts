import { answerOf, api } from '../../../session/api.ts'

/** The newest versions of a survey, with their definitions. */
export const versionsQuery = (id: string) => ({
  queryKey: ['versions', id],
  queryFn: () => answerOf(api.GET('/v1/surveys/{id}/versions', { params: { path: { id }, query: { limit: 20 } } })),
  staleTime: 60_000,
})
