import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { answerOf, api } from '../session/api.ts'
import type { Permission } from './screens.ts'

export type Me = Schemas['Me']

export const meQuery = {
  queryKey: ['me'],
  queryFn: () => answerOf(api.GET('/v1/me')),
  staleTime: 60_000,
}

export const orgQuery = {
  queryKey: ['org'],
  queryFn: () => answerOf(api.GET('/v1/org')),
  staleTime: 300_000,
}

/** The caller and their workspace. Only inside the shell, which has loaded them. */
export function useMe(): Me {
  return useSuspenseQuery(meQuery).data
}

export function useMay(permission: Permission | undefined): boolean {
  const { data } = useQuery(meQuery)
  return permission === undefined || (data?.permissions.includes(permission) ?? false)
}

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
