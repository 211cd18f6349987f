import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { answerOf, api } from '../session/api.ts'

/** The address by which people reach this server. It may differ from the one of this page. */
export const PUBLIC_BASE =
  document.querySelector<HTMLMetaElement>('meta[name="earshot:base"]')?.content ?? location.origin

export type ShortUrl = Schemas['ShortUrl']

export const shortUrlsQuery = {
  queryKey: ['short-urls'],
  queryFn: () => answerOf(api.GET('/v1/short-urls', { params: { query: { limit: 100, count: 'true' as const } } })),
}

/** The clicks of each of the last 30 days. */
export function useClicks(id: string | undefined) {
  return useQuery({
    queryKey: ['short-urls', id, 'stats'],
    queryFn: () => answerOf(api.GET('/v1/short-urls/{id}/stats', { params: { path: { id: id ?? '' } } })),
    enabled: id !== undefined,
  })
}
