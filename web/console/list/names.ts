import { useQuery } from '@tanstack/react-query'
import { membersQuery } from '../app/me.ts'
import { endpointName } from '../endpoints/endpoint-name.ts'
import { answerOf, api } from '../session/api.ts'

/** The names of the things that ids mean, for those that a list of the API gives at once. */
export function useNames(...refers: Array<string | null>): Map<string, string> {
  const surveys = useQuery({ ...surveyNamesQuery, enabled: refers.includes('survey') })
  const webhooks = useQuery({ ...webhookNamesQuery, enabled: refers.includes('webhook') })
  const members = useQuery({ ...membersQuery, enabled: refers.includes('member') })
  const rules = useQuery({ ...ruleNamesQuery, enabled: refers.includes('rule') })
  const segments = useQuery({ ...segmentNamesQuery, enabled: refers.includes('segment') })
  const all: Record<string, Array<{ id: string; name: string }> | undefined> = {
    survey: surveys.data?.data,
    webhook: webhooks.data?.data.map((each) => ({ id: each.id, name: endpointName(each) })),
    member: members.data?.data,
    rule: rules.data?.data,
    segment: segments.data?.data,
  }
  // Another screen may have read more lists.
  const named = refers.flatMap((each) => (each === null ? [] : (all[each] ?? [])))
  return new Map(named.map(({ id, name }) => [id, name]))
}

export const webhookNamesQuery = {
  queryKey: ['webhooks', 'names'],
  queryFn: () => answerOf(api.GET('/v1/webhooks', { params: { query: { limit: 100 } } })),
  staleTime: 60_000,
}

export const ruleNamesQuery = {
  queryKey: ['alert-rules'],
  queryFn: () => answerOf(api.GET('/v1/alert-rules', { params: { query: { limit: 100 } } })),
  staleTime: 60_000,
}

export const segmentNamesQuery = {
  queryKey: ['segments', 'names'],
  queryFn: () => answerOf(api.GET('/v1/segments', { params: { query: { limit: 500 } } })),
  staleTime: 60_000,
}

export const surveyNamesQuery = {
  queryKey: ['surveys', 'names'],
  queryFn: () => answerOf(api.GET('/v1/surveys', { params: { query: { limit: 100 } } })),
  staleTime: 60_000,
}
