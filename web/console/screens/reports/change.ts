import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Schemas } from '../../../api/client.ts'
import { toast } from '../../../ui/toast.tsx'
import { reasonOf } from '../../frame/failure.tsx'
import { answerOf, api } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'

export type Report = Schemas['DashboardReport']

export const reportsQuery = {
  queryKey: ['reports'],
  queryFn: () => answerOf(api.GET('/v1/reports', { params: { query: { limit: 100 } } })),
}

export const dashboardNamesQuery = {
  queryKey: ['dashboards'],
  queryFn: () => answerOf(api.GET('/v1/dashboards', { params: { query: { limit: 100 } } })),
}

/** A report with the tag of what was read, so that nobody writes over a change of somebody else. */
export function reportQuery(id: string) {
  return {
    queryKey: ['report', id],
    queryFn: async () => {
      const call = api.GET('/v1/reports/{id}', { params: { path: { id } } })
      const { response } = await call
      return { report: await answerOf(call), etag: response.headers.get('etag') ?? '' }
    },
  }
}

/** Turns the schedule of a report on or off. The person who turns it on becomes its maker. */
export function useTurn() {
  const words = useWords()
  const client = useQueryClient()
  const turn = useMutation({
    mutationFn: ({ id, enabled }: Pick<Report, 'id' | 'enabled'>) =>
      answerOf(api.PATCH('/v1/reports/{id}', { params: { path: { id } }, body: { enabled } })),
    onSuccess: ({ id, name, enabled }) => {
      void client.invalidateQueries({ queryKey: ['reports'] })
      void client.invalidateQueries({ queryKey: ['report', id] })
      toast({
        text: words(enabled ? 'reports:resumed' : 'reports:paused', { name }),
        action: { label: words('frame:undo'), onPress: () => turn.mutate({ id, enabled: !enabled }) },
      })
    },
    onError: (error) => toast({ text: reasonOf(error, words) }),
  })
  return turn
}
