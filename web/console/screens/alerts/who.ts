import { useQueries } from '@tanstack/react-query'
import type { Schemas } from '../../../api/client.ts'
import { answerOf, api } from '../../session/api.ts'
import type { Alert } from './change.ts'

// Reading people is logged for those who see them unmasked, so a page of alerts asks once.
const MOST_AT_ONCE = 50
const STALE_MS = 10 * 60_000

/** The people of some alerts, as their ids name them: masked for those who may not manage people. */
export function usePeopleOf(
  alerts: Array<Pick<Alert, 'person_id'>>,
): (alert: Pick<Alert, 'person_id'>) => string | null {
  const ids = [...new Set(alerts.flatMap(({ person_id }) => person_id ?? []))]
  const parts = Array.from({ length: Math.ceil(ids.length / MOST_AT_ONCE) }, (_, at) =>
    ids.slice(at * MOST_AT_ONCE, (at + 1) * MOST_AT_ONCE),
  )
  const answers = useQueries({
    queries: parts.map((part) => ({
      queryKey: ['people', 'named', part],
      queryFn: () => {
        const filter = JSON.stringify({ all: [{ field: 'id', op: 'one_of', value: part }] })
        return answerOf(api.GET('/v1/people', { params: { query: { limit: part.length, filter } } }))
      },
      staleTime: STALE_MS,
      retry: false,
    })),
  })
  const names = new Map(
    answers.flatMap(({ data }) => (data?.data ?? []).map((each) => [each.id, nameOf(each)] as const)),
  )
  return ({ person_id }) => (person_id === null ? null : (names.get(person_id) ?? null))
}

/** The name of a person, or else an address. */
export function nameOf({ name, email, phone, external_id }: NamedPerson): string | null {
  return name ?? email ?? phone ?? external_id
}

type NamedPerson = Pick<Schemas['Person'], 'name' | 'email' | 'phone' | 'external_id'>
