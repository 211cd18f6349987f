import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../session/api.ts'

export const membersQuery = {
  queryKey: ['members'],
  queryFn: () => answerOf(api.GET('/v1/members', { params: { query: { limit: 100 } } })),
  staleTime: 60_000,
}

export const rolesQuery = {
  queryKey: ['roles'],
  queryFn: () => answerOf(api.GET('/v1/roles', { params: { query: { limit: 100 } } })),
}

/** The name of a member by their id. Undefined for an id of another kind, and for somebody who left. */
export function useMemberName(): (id: string | null) => string | undefined {
  const { data } = useQuery(membersQuery)
  return (id) => data?.data.find((member) => member.id === id)?.name
}
